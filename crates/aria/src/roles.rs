//! The roles a node can have.

/// WAI-ARIA 1.2 with the additions of 1.3 that browsers expose, and the elements for which Playwright's form has a name.
const ARIA: &str = "alert alertdialog application article banner blockquote button caption cell checkbox code columnheader \
    combobox comment complementary contentinfo definition deletion dialog directory document emphasis feed \
    figure form generic grid gridcell group heading iframe image img insertion link list listbox listitem log \
    main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation note option \
    paragraph progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox \
    sectionfooter sectionheader separator slider spinbutton status strong subscript suggestion superscript \
    switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem audio \
    canvas video";

/// DPUB-ARIA 1.1, without `doc-`.
const PUBLISHING: &str = "abstract acknowledgments afterword appendix backlink biblioentry bibliography biblioref chapter colophon \
    conclusion cover credit credits dedication endnote endnotes epigraph epilogue errata example footnote \
    foreword glossary glossref index introduction noteref notice pagebreak pagefooter pageheader pagelist part \
    preface prologue pullquote qna subtitle tip toc";

/// Graphics-ARIA 1.0, without `graphics-`.
const GRAPHICS: &str = "document object symbol";

/// Whether there is such a role.
pub(crate) fn is_role(name: &str) -> bool {
    let (names, name) = match name.split_once('-') {
        Some(("doc", name)) => (PUBLISHING, name),
        Some(("graphics", name)) => (GRAPHICS, name),
        _ => (ARIA, name),
    };
    names.split(' ').any(|known| known == name)
}

/// What is wrong with a name that is no role, and what was probably meant.
pub(crate) fn unknown(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    if is_role(&lower) {
        return format!("there is no role `{name}`: roles are lower case, write `{lower}`");
    }
    match lower.as_str() {
        "none" | "presentation" => {
            return format!("`{name}` is the role of what is not in the tree: leave the line out");
        }
        "fragment" => return "there is no role `fragment`: write its children at the top level".into(),
        _ => {}
    }
    let likeness = |role: &&str| strsim::jaro_winkler(role, &lower);
    let nearest = ARIA.split(' ').max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match nearest.filter(|role| likeness(role) > 0.75) {
        Some(nearest) => format!("there is no role `{name}`; did you mean `{nearest}`?"),
        None => format!("there is no role `{name}`: use a role of WAI-ARIA, such as `button` or `listitem`"),
    }
}

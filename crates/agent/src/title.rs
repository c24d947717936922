use crate::TitleRule;

/// The first words of a prompt; `None` when it has none.
pub(crate) fn fallback(prompt: &str, rule: TitleRule) -> Option<String> {
    let words: Vec<_> = prompt.split_whitespace().take(rule.words).collect();
    let title: String = words.join(" ").chars().take(rule.max_chars).collect();
    let title = title.trim_end();
    (!title.is_empty()).then(|| title.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(prompt: &str, title: Option<&str>) {
        assert_eq!(fallback(prompt, TitleRule { words: 5, max_chars: 30 }).as_deref(), title);
    }

    #[test]
    fn title_is_the_first_words() {
        check("Use the bash tool to run exactly: echo", Some("Use the bash tool to"));
        check("  two\n\twords ", Some("two words"));
        check(" \n", None);
    }

    #[test]
    fn title_of_a_prompt_without_spaces_is_cut_at_a_character() {
        check(&"字".repeat(100), Some(&"字".repeat(30)));
    }
}

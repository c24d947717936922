//! The ways to find elements, the same for pages, frames, frame locators and locators.

/// Gives a type the finding methods. The type has a method `root` that gives the locator to start from.
macro_rules! finders {
    ($type:ty) => {
        impl $type {
            /// Elements by CSS selector, also in shadow trees.
            pub fn locator(&self, css: &str) -> $crate::Locator {
                self.root().and($crate::locator::Step::Css { css: css.to_owned() })
            }

            /// Elements by ARIA role and accessible name. Those hidden from assistive technology are left out. See
            /// [`TextMatch`]($crate::TextMatch) for names.
            pub fn get_by_role(&self, role: &str, name: impl Into<$crate::TextMatch>) -> $crate::Locator {
                self.root().and($crate::locator::Step::Role { role: role.to_owned(), name: name.into() })
            }

            /// The innermost elements with this text.
            pub fn get_by_text(&self, text: impl Into<$crate::TextMatch>) -> $crate::Locator {
                self.root().and($crate::locator::Step::Text { text: text.into() })
            }

            /// Form controls by the text of their label or their `aria-label`.
            pub fn get_by_label(&self, label: impl Into<$crate::TextMatch>) -> $crate::Locator {
                self.root().and($crate::locator::Step::Label { text: label.into() })
            }

            /// Elements by their `data-testid`.
            pub fn get_by_test_id(&self, id: &str) -> $crate::Locator {
                self.root().and($crate::locator::Step::TestId { id: id.to_owned() })
            }

            /// What is in the frame that this CSS selector names; see [`Locator::content_frame`]($crate::Locator::content_frame).
            pub fn frame_locator(&self, css: &str) -> $crate::FrameLocator {
                self.root().and($crate::locator::Step::Css { css: css.to_owned() }).content_frame()
            }
        }
    };
}
pub(crate) use finders;

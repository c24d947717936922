//! The ways to find elements, the same for pages, frames, frame locators and locators.

/// Gives a type the finding methods. The type has a method `root` that gives the locator to start from.
macro_rules! finders {
    ($type:ty) => {
        impl $type {
            /// Elements by CSS selector, also in shadow trees; or by XPath, when it starts with `xpath=`, `//`, `(//` or
            /// `..`. Inside an element, `> li` names its children.
            pub fn locator(&self, selector: &str) -> $crate::Locator {
                self.root().and_step($crate::locator::Step::selector(selector))
            }

            /// Elements by ARIA role and accessible name; other conditions by
            /// [`RoleOptions`]($crate::RoleOptions). Those hidden from assistive technology are left out. A role that
            /// does not exist is refused when the locator is used.
            pub fn get_by_role(&self, role: &str, options: impl Into<$crate::RoleOptions>) -> $crate::Locator {
                self.root().and_step($crate::locator::Step::role(role, options.into()))
            }

            /// The innermost elements with this text. An `<input>` button's text is its value.
            pub fn get_by_text(&self, text: impl Into<$crate::TextMatch>) -> $crate::Locator {
                self.root().and_step($crate::locator::Step::Text { text: text.into() })
            }

            /// Form controls by the text of their label, by what `aria-labelledby` names, or by their `aria-label`.
            pub fn get_by_label(&self, label: impl Into<$crate::TextMatch>) -> $crate::Locator {
                self.root().and_step($crate::locator::Step::Label { text: label.into() })
            }

            /// Form controls by their `placeholder`.
            pub fn get_by_placeholder(&self, text: impl Into<$crate::TextMatch>) -> $crate::Locator {
                self.root().and_step($crate::locator::Step::Attribute { name: "placeholder", text: text.into() })
            }

            /// Pictures and the like by their `alt` text.
            pub fn get_by_alt_text(&self, text: impl Into<$crate::TextMatch>) -> $crate::Locator {
                self.root().and_step($crate::locator::Step::Attribute { name: "alt", text: text.into() })
            }

            /// Elements by their `title`.
            pub fn get_by_title(&self, text: impl Into<$crate::TextMatch>) -> $crate::Locator {
                self.root().and_step($crate::locator::Step::Attribute { name: "title", text: text.into() })
            }

            /// Elements by their test id: the attribute
            /// [`LaunchOptions::test_id_attribute`]($crate::LaunchOptions::test_id_attribute), else `data-testid`.
            pub fn get_by_test_id(&self, id: impl Into<$crate::TextMatch>) -> $crate::Locator {
                self.root().and_step($crate::locator::Step::TestId { id: id.into() })
            }

            /// What is in the frame that this selector names; see
            /// [`Locator::content_frame`]($crate::Locator::content_frame).
            pub fn frame_locator(&self, selector: &str) -> $crate::FrameLocator {
                self.locator(selector).content_frame()
            }
        }
    };
}
pub(crate) use finders;

//! Where the transcript stands: following its end while the reader is there, still while the reader reads.

use leptos::html::Div;
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::Closure;
use web_sys::ResizeObserver;

use crate::dom;
use crate::state::Ui;

/// So close to the end counts as at the end, in pixels.
const NEAR: i32 = 24;

/// The scrolling element, the list in it, and what the reader wants.
#[derive(Clone, Copy)]
pub(super) struct Scroll {
    ui: Ui,
    /// The element that scrolls.
    pub(super) scroller: NodeRef<Div>,
    /// The list in it.
    pub(super) list: NodeRef<Div>,
    /// The reader is at the end and wants to stay there.
    pub(super) follows: RwSignal<bool>,
    /// The position at the last scroll, to tell its direction.
    last: StoredValue<i32>,
    /// While older rows come: how many rows there were, and the distance from the list's end, which is kept.
    held: StoredValue<Option<(usize, i32)>>,
}

impl Scroll {
    /// At the end, for each session anew.
    pub(super) fn new(ui: Ui) -> Self {
        let scroll = Self {
            ui,
            scroller: NodeRef::new(),
            list: NodeRef::new(),
            follows: RwSignal::new(true),
            last: StoredValue::new(0),
            held: StoredValue::new(None),
        };
        Effect::new(move |_| {
            ui.selected.track();
            scroll.held.set_value(None);
            scroll.follows.set(true);
            scroll.settle();
        });
        Effect::new(move |_| scroll.watch());
        scroll
    }

    /// Follows sizes from now on: of the list as it grows, of the view as the window or the text field changes.
    fn watch(self) {
        let (Some(scroller), Some(list)) = (self.scroller.get(), self.list.get()) else { return };
        let resized = Closure::<dyn FnMut()>::new(move || self.settle());
        let observer = ResizeObserver::new(resized.as_ref().unchecked_ref()).expect("a function is a callback");
        observer.observe(&scroller);
        observer.observe(&list);
        let watching = SendWrapper::new((observer, resized));
        on_cleanup(move || watching.0.disconnect());
    }

    /// Puts the view where it belongs after sizes changed, before the page is painted.
    fn settle(self) {
        let (Some(scroller), Some(follows)) = (self.scroller.get_untracked(), self.follows.try_get_untracked()) else {
            return;
        };
        let rows = self.rows();
        if let Some((_, distance)) = self.held.get_value().filter(|(held, _)| *held < rows) {
            self.held.set_value(None);
            scroller.set_scroll_top(scroller.scroll_height() - distance);
            // The button that asked for the last of them is gone, and what had focus with it.
            if dom::nothing_has_focus() {
                let _ = scroller.focus();
            }
        } else if follows {
            self.to_end();
        } else if self.below() <= NEAR {
            self.follows.set(true);
        }
    }

    /// Only a move upwards is the reader leaving: rows that grow between a scroll and its event look like a distance
    /// from the end too.
    pub(super) fn scrolled(self) {
        let Some(scroller) = self.scroller.get_untracked() else { return };
        let now = scroller.scroll_top();
        let upwards = now < self.last.get_value();
        self.last.set_value(now);
        let near = self.below() <= NEAR;
        if near || upwards {
            self.follows.try_update(|follows| {
                if *follows != near {
                    *follows = near
                }
            });
        }
    }

    /// The reader opens or closes a row: what it holds is read from its start, not from its end.
    pub(super) fn reads(self) {
        self.follows.set(false);
        request_animation_frame(move || self.settle());
    }

    /// To the end, and stays there.
    pub(super) fn follow(self) {
        self.follows.set(true);
        self.to_end();
    }

    /// Asks for older rows; what is seen stays where it is when they come.
    pub(super) fn load_older(self) {
        let Some(id) = self.ui.selected.get_untracked() else { return };
        if let Some(scroller) = self.scroller.get_untracked() {
            self.held.set_value(Some((self.rows(), scroller.scroll_height() - scroller.scroll_top())));
        }
        self.ui.client().load_older(&id);
    }

    fn to_end(self) {
        if let Some(scroller) = self.scroller.get_untracked() {
            scroller.set_scroll_top(scroller.scroll_height());
        }
    }

    fn below(self) -> i32 {
        self.scroller
            .get_untracked()
            .map_or(0, |scroller| scroller.scroll_height() - scroller.scroll_top() - scroller.client_height())
    }

    fn rows(self) -> usize {
        self.ui.rows.with_untracked(Vec::len)
    }
}

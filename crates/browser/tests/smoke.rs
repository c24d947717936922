//! One page from start to end.

mod support;

use browser::SnapshotOptions;
use support::{page_with, run};

#[test]
fn page_is_loaded_read_clicked_and_closed() {
    run(async {
        let (context, page) =
            page_with("<h1>Hello</h1><button onclick='this.textContent=event.isTrusted'>Go</button>").await;
        assert_eq!(page.title().await.unwrap(), "Test page");
        page.get_by_role("button", "Go").click().await.unwrap();
        page.get_by_role("button", "true").expect().to_be_visible().await.unwrap();
        assert_eq!(page.evaluate::<i64>("(a, b) => a + b", &[2.into(), 3.into()]).await.unwrap(), 5);
        let snapshot = page.aria_snapshot(&SnapshotOptions::default()).await.unwrap();
        assert_eq!(snapshot.to_yaml().trim_end(), "- heading \"Hello\" [level=1]\n- button \"true\"");
        assert!(page.screenshot().await.unwrap().starts_with(b"\x89PNG"));
        page.settle_events().await.unwrap();
        assert_eq!(page.problems(), []);
        context.close().await.unwrap();
    });
}

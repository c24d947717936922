//! What the client needs from outside, given by the browser: `fetch`, timers, animation frames, chance.

use std::time::Duration;

use client::{ByteStream, Platform, TransportError};
use futures_util::future::LocalBoxFuture;
use futures_util::stream;
use js_sys::{Promise, Reflect, Uint8Array};
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::{Closure, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, ReadableStreamDefaultReader, RequestInit, Response};

use crate::dom;

/// A frame that does not come within this time (a hidden page has none) is replaced by a timer.
const LONGEST_FRAME: Duration = Duration::from_millis(100);

/// The page as a [`Platform`].
#[derive(Debug)]
pub(crate) struct Page;

impl Platform for Page {
    fn unary(&self, path: &str, body: String) -> LocalBoxFuture<'static, Result<(u16, String), TransportError>> {
        let path = path.to_owned();
        Box::pin(async move {
            let init = RequestInit::new();
            init.set_method("POST");
            init.set_body(&JsValue::from_str(&body));
            let headers = js_sys::Object::new();
            Reflect::set(&headers, &"content-type".into(), &"application/json".into()).map_err(failed)?;
            init.set_headers(&headers);
            let (response, _request) = fetch(&path, &init).await?;
            let text = JsFuture::from(response.text().map_err(failed)?).await.map_err(failed)?;
            Ok((response.status(), text.as_string().unwrap_or_default()))
        })
    }

    fn open_stream(&self, path: &str) -> LocalBoxFuture<'static, Result<ByteStream, TransportError>> {
        let path = path.to_owned();
        Box::pin(async move {
            let (response, request) = fetch(&path, &RequestInit::new()).await?;
            if response.status() != 200 {
                return Err(TransportError(format!("HTTP {} for {path}", response.status())));
            }
            let body = response.body().ok_or_else(|| TransportError(format!("no body for {path}")))?;
            let reader: ReadableStreamDefaultReader = body.get_reader().unchecked_into();
            let pieces = stream::try_unfold((reader, request), |(reader, request)| async move {
                let read = JsFuture::from(reader.read()).await.map_err(failed)?;
                let done = Reflect::get(&read, &"done".into()).map_err(failed)?.is_truthy();
                if done {
                    return Ok(None);
                }
                let bytes: Uint8Array = Reflect::get(&read, &"value".into()).map_err(failed)?.unchecked_into();
                Ok(Some((bytes.to_vec(), (reader, request))))
            });
            Ok(Box::pin(pieces) as ByteStream)
        })
    }

    fn spawn(&self, task: LocalBoxFuture<'static, ()>) {
        dom::spawn(task);
    }

    fn sleep(&self, duration: Duration) -> LocalBoxFuture<'static, ()> {
        Box::pin(resolved(Promise::new(&mut |resolve, _| after(&resolve, duration))))
    }

    fn frame(&self) -> LocalBoxFuture<'static, ()> {
        Box::pin(resolved(Promise::new(&mut |resolve, _| {
            // Whichever comes first; resolving twice does nothing.
            after(&resolve, LONGEST_FRAME);
            let frame = Closure::once_into_js(move || drop(resolve.call0(&JsValue::NULL)));
            let _ = dom::window().request_animation_frame(frame.unchecked_ref());
        })))
    }

    fn random(&self) -> f64 {
        js_sys::Math::random()
    }

    fn now(&self) -> i64 {
        js_sys::Date::now() as i64
    }
}

/// Aborts a request when it is dropped, whether it was answered, is being read or was given up.
struct Request(AbortController);

impl Drop for Request {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn fetch(path: &str, init: &RequestInit) -> Result<(Response, Request), TransportError> {
    let controller = AbortController::new().map_err(failed)?;
    init.set_signal(Some(&controller.signal()));
    let request = Request(controller);
    let response = JsFuture::from(dom::window().fetch_with_str_and_init(path, init)).await.map_err(failed)?;
    Ok((response.unchecked_into(), request))
}

fn failed(reason: JsValue) -> TransportError {
    let message = reason.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message()));
    TransportError(message.unwrap_or_else(|| format!("{reason:?}")))
}

fn after(resolve: &js_sys::Function, duration: Duration) {
    let milliseconds = i32::try_from(duration.as_millis()).unwrap_or(i32::MAX);
    let _ = dom::window().set_timeout_with_callback_and_timeout_and_arguments_0(resolve, milliseconds);
}

async fn resolved(promise: Promise) {
    let _ = JsFuture::from(promise).await;
}

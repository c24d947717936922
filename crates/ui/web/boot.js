// The only script the page names: a file of its own, so that the content policy needs no inline script.
import init, { start } from "{{ui.js}}";

try {
  await init({ module_or_path: "{{ui.wasm}}" });
  start();
} catch (error) {
  const note = document.createElement("p");
  note.setAttribute("role", "alert");
  note.className = "boot-failure";
  note.textContent = `dsh could not start in this browser: ${error}. Reload the page; if it stays, use a current browser.`;
  document.body.replaceChildren(note);
  throw error;
}

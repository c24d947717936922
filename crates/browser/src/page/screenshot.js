// Getting a page ready for its picture, and back. Runs in our isolated world.
({
  // Hides the caret, lets animations end, covers what is masked. What changed is undone by `restore`.
  prepare: async ({ caret, animations }) => {
    const undo = [];
    globalThis.pictureUndo = undo;
    const roots = [document];
    for (let i = 0; i < roots.length; i++) {
      for (const element of roots[i].querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
    }
    if (!caret) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('* { caret-color: transparent !important; }');
      for (const root of roots) {
        root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
        undo.push(() => (root.adoptedStyleSheets = [...root.adoptedStyleSheets].filter((one) => one !== sheet)));
      }
    }
    if (!animations) {
      for (const animation of document.getAnimations()) {
        const { endTime } = animation.effect?.getComputedTiming() ?? { endTime: 0 };
        if (animation.playState === 'paused') continue;
        if (Number.isFinite(Number(endTime)) && animation.playbackRate > 0) {
          animation.finish();
          continue;
        }
        const before = animation.currentTime;
        animation.pause();
        animation.currentTime = 0;
        undo.push(() => {
          animation.currentTime = before;
          animation.play();
        });
      }
    }
    // Browsers show a fallback after three seconds.
    await Promise.race([document.fonts.ready, new Promise((resolve) => setTimeout(resolve, 3000))]);
    return [scrollX, scrollY, innerWidth, innerHeight, document.documentElement.scrollWidth, document.documentElement.scrollHeight];
  },

  cover: (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const cover = document.createElement('div');
    // In the top layer, over dialogs too, and placed in the document, which may be drawn as a whole.
    cover.popover = 'manual';
    cover.style.cssText = `all: initial; position: absolute; background: #ff00ff; pointer-events: none;
      left: ${x + scrollX}px; top: ${y + scrollY}px; width: ${width}px; height: ${height}px;`;
    document.documentElement.append(cover);
    cover.showPopover();
    globalThis.pictureUndo.push(() => cover.remove());
  },

  restore: () => {
    for (const undo of (globalThis.pictureUndo ?? []).reverse()) undo();
    globalThis.pictureUndo = undefined;
  },

  // The element's box in the page's document, once it has one and rests, scrolled into view; else why not.
  box: async (element, left) => {
    const end = performance.now() + left;
    const frame = () => Promise.race([new Promise(requestAnimationFrame), new Promise((resolve) => setTimeout(resolve, 100))]);
    const look = () => {
      let { x, y, width, height } = element.getBoundingClientRect();
      let view = window;
      while (view.parent !== view) {
        const owner = view.frameElement;
        if (owner === null) return 'foreign';
        const outer = owner.getBoundingClientRect();
        const style = view.parent.getComputedStyle(owner);
        x += outer.x + owner.clientLeft + parseFloat(style.paddingLeft);
        y += outer.y + owner.clientTop + parseFloat(style.paddingTop);
        view = view.parent;
      }
      return [x + view.scrollX, y + view.scrollY, width, height];
    };
    let seen = null;
    do {
      if (!element.isConnected) return 'detached';
      element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
      const box = look();
      if (typeof box === 'string') return box;
      const visible = box[2] > 0 && box[3] > 0 && element.checkVisibility({ visibilityProperty: true });
      if (visible && String(box) === String(seen)) return box;
      seen = visible ? box : null;
      await frame();
    } while (performance.now() < end);
    return seen === null ? 'hidden' : 'moving';
  },
})

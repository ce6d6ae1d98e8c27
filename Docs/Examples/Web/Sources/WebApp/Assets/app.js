// Makes pages live. Without this script, every link and form works by loading pages.
"use strict";

(() => {
  // The only place that turns text into HTML. The server escapes all foreign text, and the content security policy allows no
  // other way and no inline scripts.
  const policy = window.trustedTypes?.createPolicy("fragments", { createHTML: (html) => html });

  function fragment(html) {
    const template = document.createElement("template");
    template.innerHTML = policy ? policy.createHTML(html) : html;
    return template.content;
  }

  const main = document.getElementById("main");
  const actions = document.getElementById("actions");
  const trouble = document.getElementById("trouble");
  const field = (name) => actions.elements.namedItem(name);

  const focusable = "a[href], button, input, select, textarea, [tabindex]";

  /** Makes an element like another one, and keeps what is equal in it: the focus, the selection, and pictures. */
  function morph(old, fresh) {
    if (old.isEqualNode(fresh)) return;
    if (old.nodeType !== Node.ELEMENT_NODE) { old.nodeValue = fresh.nodeValue; return; }
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    morphChildren(old, fresh);
  }

  function morphChildren(old, fresh) {
    let next = old.firstChild;
    for (const node of [...fresh.childNodes]) {
      if (next?.nodeName === node.nodeName) {
        morph(next, node);
        next = next.nextSibling;
      } else {
        old.insertBefore(node, next);
      }
    }
    while (next) {
      const rest = next.nextSibling;
      next.remove();
      next = rest;
    }
  }

  /** Applies changes; if they remove the control that has the focus, another one in its place gets it. */
  function keepingFocus(change) {
    const focused = main.contains(document.activeElement) ? document.activeElement : null;
    const row = focused?.closest("[data-row]");
    const near = row?.nextElementSibling ?? row?.previousElementSibling ?? focused?.closest("[data-part]");
    change();
    if (!focused || focused.isConnected) return;
    const target = (near?.isConnected && near.querySelector(focusable)) || main;
    target.focus({ preventScroll: true });
  }

  function apply({ title, token, parts = {}, rows = {}, order }) {
    if (title) document.title = title;
    if (token) field("csrf").value = token;
    const list = document.getElementById("rows");
    const before = list ? [...list.children].map((row) => row.dataset.row) : [];
    const hadMore = document.querySelector("#more > *") != null;
    keepingFocus(() => {
      for (const [id, html] of Object.entries(parts)) {
        const part = document.getElementById(id);
        if (part) morphChildren(part, fragment(html));
      }
      for (const [id, html] of Object.entries(rows)) {
        const [old, fresh] = [document.getElementById("row-" + id), fragment(html).firstElementChild];
        if (old) morph(old, fresh); else list?.append(fresh);
      }
      if (order && list) arrange(list, order);
    });
    // Only a next page counts, so that going back finds the same rows.
    const isNextPage = hadMore && before.length > 0 && order?.length > before.length
      && before.every((id, index) => order[index] === id);
    if (isNextPage) {
      const address = new URL(location.href);
      address.searchParams.set("rows", order.length);
      address.hash = "";
      setAddress(address);
    }
    observe();
  }

  /** Puts rows in an order; those that are in it already don't move. */
  function arrange(list, order) {
    const ids = new Set(order);
    for (const row of [...list.children]) if (!ids.has(row.dataset.row)) row.remove();
    let next = list.firstElementChild;
    for (const id of order) {
      const row = document.getElementById("row-" + id);
      if (row === next) next = next?.nextElementSibling ?? null; else if (row) list.insertBefore(row, next);
    }
  }

  let stream = null;
  let shown = document.body.dataset.shown;
  let retry = 0;
  let retryTimer = 0;

  /** Opens the page's stream. Only visible pages have one, because browsers limit the connections to a server. */
  function open() {
    if (stream || document.hidden || !document.body.dataset.page) return;
    clearTimeout(retryTimer);
    const address = new URL("/events", location.href);
    address.search = new URLSearchParams({ page: document.body.dataset.page, shown, address: field("address").value });
    stream = new EventSource(address);
    stream.addEventListener("open", () => { retry = 0; });
    stream.addEventListener("update", (event) => {
      apply(JSON.parse(event.data));
      current(event);
    });
    stream.addEventListener("same", current);
    // Other visible windows need the connection. They take turns, and miss nothing.
    stream.addEventListener("replaced", () => {
      close();
      clearTimeout(retryTimer);
      retryTimer = setTimeout(open, 2000 + 2000 * Math.random());
    });
    // The browser would reconnect with the address that the page had when the stream began.
    stream.addEventListener("error", () => {
      close();
      clearTimeout(retryTimer);
      retry = Math.min(retry + 1, 6);
      retryTimer = setTimeout(open, 500 * 2 ** retry);
    });
  }

  /** Notes that the page is what the server has, for the next stream and for tests. */
  function current(event) {
    shown = event.lastEventId;
    document.body.dataset.live = shown;
  }

  function close() {
    stream?.close();
    stream = null;
    delete document.body.dataset.live;
  }

  /** Sends an action; says so if the server doesn't accept it. */
  async function send(...fields) {
    const body = new URLSearchParams(new FormData(actions));
    for (const [name, value] of fields) body.append(name, value);
    try {
      const response = await fetch(actions.getAttribute("action"), {
        method: "POST", body, headers: { Accept: "application/json" }, redirect: "manual",
      });
      trouble.hidden = response.ok;
      if (response.status !== 200) return response.ok;
      const answer = await response.json();
      if (answer.location) {
        location.assign(answer.location);
      } else {
        // The page's stream is at another process, or shows what the address was before.
        apply(answer);
        close();
        open();
      }
      return true;
    } catch {
      trouble.hidden = false;
      return false;
    }
  }

  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (form === actions && !/^(language|theme) /.test(submitter?.value)) {
      event.preventDefault();
      send(["do", submitter?.value ?? ""]);
    } else if (form.matches("form[data-live]")) {
      event.preventDefault();
      input(form, [["submit", "1"]]);
    }
  });

  trouble.querySelector("button").addEventListener("click", () => { trouble.hidden = true; });

  // A page that can't be loaded would replace this one.
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[href]");
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || link.target || link.origin !== location.origin || link.matches(".skip")) return;
    if (link.matches("#more a")) {
      event.preventDefault();
      send(["do", "more"]);
    } else if (retry > 0) {
      event.preventDefault();
      const isReachable = await fetch("/health").then((response) => response.ok, () => false);
      trouble.hidden = isReachable;
      if (isReachable) location.assign(link.href);
    }
  });

  /** Changes the address to which reloading, going back, and forms lead. */
  function setAddress(address) {
    history.replaceState(history.state, "", address);
    field("address").value = address.pathname + address.search;
  }

  let isSending = false;
  let pending = null;
  let pause = 0;

  function input(form, more = []) {
    const fields = [...new FormData(form)];
    const address = new URL(form.action);
    address.search = new URLSearchParams(fields.filter(([, value]) => value !== ""));
    setAddress(address);
    pending = [["do", "input"], ...fields, ...more];
    clearTimeout(pause);
    pause = setTimeout(sendInput, more.length > 0 ? 0 : Number(form.dataset.live));
  }

  document.addEventListener("input", (event) => {
    const form = event.target.closest("form[data-live]");
    if (form) input(form);
  });

  /** Sends the newest input; one request at a time, so that texts arrive in order. The view model waits for a pause. */
  async function sendInput() {
    if (isSending || !pending) return;
    isSending = true;
    const fields = pending;
    pending = null;
    await send(...fields);
    isSending = false;
    sendInput();
  }

  const seen = new Set();
  const observer = "IntersectionObserver" in window && new IntersectionObserver(async (entries) => {
    const visible = entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target.dataset.row);
    const last = visible.filter((key) => !seen.has(key)).pop();
    if (last === undefined) return;
    visible.forEach((key) => seen.add(key));
    if (!await send(["do", `appeared - ${last}`])) seen.delete(last);
  }, { rootMargin: "600px" });

  /** Reports the last rows when they appear, so that the view model loads the next page in time. */
  function observe() {
    if (!observer) return;
    observer.disconnect();
    const rows = [...document.querySelectorAll("#rows > [data-row]")];
    if (rows.length === 0) seen.clear();
    if (document.querySelector("#more a")) for (const element of rows.slice(-5)) observer.observe(element);
  }

  /** Counts down to the end of a rate limit, and then tries again. */
  setInterval(() => {
    for (const time of document.querySelectorAll("[data-until]")) {
      const seconds = Math.max(0, Math.ceil(Number(time.dataset.until) - Date.now() / 1000));
      const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      if (time.textContent !== text) time.textContent = text;
      const button = time.closest(".message, .notice")?.querySelector(".retry");
      if (button) button.disabled = seconds > 0;
      if (seconds === 0 && button && !time.dataset.isOver) {
        time.dataset.isOver = "true";
        button.click();
      }
    }
  }, 500);

  const resume = () => { open(); observe(); };
  document.addEventListener("visibilitychange", () => { document.hidden ? close() : resume(); });
  window.addEventListener("focus", resume);
  document.addEventListener("pointerdown", open);
  // A page in the back/forward cache must not hold a connection.
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", resume);
  resume();
})();

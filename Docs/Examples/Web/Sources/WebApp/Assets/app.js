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

  const notice = document.getElementById("notice");
  const afterNotice = notice?.nextElementSibling;
  const besideRow = document.createElement("li");
  besideRow.className = "beside";

  /** Puts a notice before a row, from which few keys lead to it; without a row, back to its place in the page. */
  function placeNotice(row) {
    if (row?.isConnected && notice?.hasChildNodes()) {
      row.before(besideRow);
      besideRow.append(notice);
    } else if (besideRow.isConnected) {
      afterNotice.before(notice);
      besideRow.remove();
    }
  }

  /** Applies changes; if they remove the control that has the focus, another one in its place gets it. */
  function keepingFocus(change) {
    const focused = main.contains(document.activeElement) ? document.activeElement : null;
    const row = focused?.closest("[data-row]");
    const noticed = besideRow.contains(focused) ? besideRow.nextElementSibling : null;
    placeNotice(null);
    const rows = new Set(document.querySelectorAll("#rows > [data-row]"));
    // The next rows follow the last one, when the control that asked for them is gone.
    const last = focused?.closest("#more") ? [...rows].pop() : null;
    const near = noticed ?? row?.nextElementSibling ?? row?.previousElementSibling ?? last ?? focused?.closest("[data-part]");
    const asked = focused?.closest(".question") && "[value=ask-to-sign-out]";
    change();
    if (!focused) return;
    // A row that moves loses the focus.
    if (focused.isConnected) {
      placeNotice(noticed ?? row);
      focused.focus({ preventScroll: true });
      return;
    }
    // Undo brings a row back.
    const added = [...document.querySelectorAll("#rows > [data-row]")].filter((row) => !rows.has(row));
    const place = added.length === 1 ? added[0] : near;
    const target = main.querySelector(asked || ".question") ?? ((place?.isConnected && place.querySelector(focusable)) || main);
    placeNotice(target.closest("#rows > [data-row]"));
    target.focus({ preventScroll: added.length !== 1 });
  }

  function apply({ title, token, parts = {}, rows = {}, order, count }) {
    if (title) document.title = title;
    if (token) field("csrf").value = token;
    const list = document.getElementById("rows");
    const before = list ? [...list.querySelectorAll(":scope > [data-row]")].map((row) => row.dataset.row) : [];
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
    const goesOn = !order || before.every((id, index) => order[index] === id);
    // Another list can end with rows that were reported before.
    if (!goesOn) seen.clear();
    // Only a next page counts, so that going back finds the same rows.
    if (goesOn && hadMore && before.length > 0 && order?.length > before.length) {
      const address = new URL(location.href);
      // A filter hides some.
      address.searchParams.set("rows", count ?? order.length);
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
  // When the stream last had an event. After a sleep, a lost connection can seem open for minutes.
  let heard = Infinity;

  /** Opens the page's stream. Only visible pages have one, because browsers limit the connections to a server. */
  function open() {
    if (stream || document.hidden || !document.body.dataset.page) return;
    clearTimeout(retryTimer);
    const address = new URL("/events", location.href);
    address.search = new URLSearchParams({ page: document.body.dataset.page, shown, address: field("address").value });
    stream = new EventSource(address);
    heard = Infinity;
    for (const name of ["open", "update", "same", "beat"]) stream.addEventListener(name, () => { heard = Date.now(); });
    stream.addEventListener("open", () => {
      retry = 0;
      trouble.hidden = true;
    });
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
      // A page that waits for its content would otherwise seem to load for as long as the server is away.
      if (retry > 2 && document.querySelector("[data-status=loading]")) trouble.hidden = false;
      // All pages lose a server that is restarted at once, and must not come back at once.
      retryTimer = setTimeout(open, 500 * 2 ** retry * (0.5 + Math.random()));
    });
  }

  setInterval(() => {
    // The page can be of a process with an earlier version.
    if (!stream || Date.now() - heard < 3000 * (Number(document.body.dataset.beat) || 15)) return;
    close();
    open();
  }, 1000);

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

  const busy = document.getElementById("busy");
  const waits = new Set();

  /** Shows after a second that the site works on something; returns a closure that ends it. */
  function wait() {
    const timer = setTimeout(() => {
      waits.add(done);
      busy.hidden = false;
    }, 1000);
    function done() {
      clearTimeout(timer);
      waits.delete(done);
      busy.hidden = waits.size === 0;
    }
    return done;
  }

  /** When another page last began to load; the second click of two must not lead elsewhere. */
  let left = 0;
  window.addEventListener("beforeunload", () => { left = Date.now(); });

  /** Sends an action; says so if the server doesn't accept it. */
  async function send(...fields) {
    const body = new URLSearchParams(new FormData(actions));
    // Some proxies and virus scanners hold an event stream until it ends.
    body.append("live", document.body.dataset.live ?? "");
    for (const [name, value] of fields) body.append(name, value);
    const [done, start] = [wait(), Date.now()];
    try {
      const response = await fetch(actions.getAttribute("action"), {
        method: "POST", body, headers: { Accept: "application/json" }, redirect: "manual",
      });
      trouble.hidden = response.ok;
      if (response.status !== 200) return response.ok;
      const answer = await response.json();
      if (answer.location) {
        if (Date.now() - left > 2000) location.assign(answer.location);
        left = Date.now();
      } else {
        // The page's stream is at another process, or shows what the address was before.
        apply(answer);
        close();
        open();
      }
      return true;
    } catch {
      // Firefox and Safari end the requests of a page when another one begins to load.
      if (left < start) trouble.hidden = false;
      return false;
    } finally {
      done();
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
    } else {
      // Safari on iPhone has no `beforeunload`.
      left = Date.now();
      // A person can stop the browser, and stay here. No page takes longer.
      setTimeout(wait(), 20000);
    }
  });

  let place = location.pathname + location.search;

  /** Changes the address to which reloading, going back, and forms lead; a new entry keeps the former one. */
  function setAddress(address, isNewEntry = false) {
    place = address.pathname + address.search;
    field("address").value = place;
    // WebKit throws after 100 changes in ten seconds. The form has the address nevertheless, and a later change writes it.
    try { history[isNewEntry ? "pushState" : "replaceState"](history.state, "", address); } catch {}
  }

  // An entry of the history is a page of its own, which is opened from its address.
  window.addEventListener("popstate", () => {
    if (location.pathname + location.search !== place) location.reload();
  });

  let isSending = false;
  let pending = null;
  let pause = 0;

  // A search is settled when it was submitted, or when nothing was typed for a while; the next key begins another one.
  let isSettled = true;
  let settling = 0;

  function input(form, more = []) {
    const fields = [...new FormData(form)];
    const address = new URL(form.action);
    address.search = new URLSearchParams(fields.filter(([, value]) => value !== ""));
    // A filter hides rows, and a search replaces them.
    const rows = new URL(place, location.href).searchParams.get("rows");
    if (rows && form.elements.namedItem("filter")) address.searchParams.set("rows", rows);
    setAddress(address, isSettled && address.pathname + address.search !== place);
    clearTimeout(settling);
    isSettled = more.length > 0;
    settling = setTimeout(() => { isSettled = true; }, 1500);
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

  /** The seconds by which this computer's clock is ahead of the server's. */
  const ahead = Date.now() / 1000 - Number(document.body.dataset.now);

  /** Counts down to the end of a rate limit, and then tries again. Hidden pages don't, because all visitors share the limit. */
  setInterval(() => {
    for (const time of document.querySelectorAll("[data-until]")) {
      const seconds = Math.max(0, Math.ceil(Number(time.dataset.until) + ahead - Date.now() / 1000));
      const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      if (time.textContent !== text) time.textContent = text;
      time.parentElement.hidden = false;
      if (seconds > 0 || document.hidden || time.dataset.isOver) continue;
      time.dataset.isOver = "true";
      time.closest(".part, .notice")?.querySelector(".retry")?.click();
    }
  }, 500);

  /** Returns the notices in view, which lie over the page. */
  const notices = () => [...document.querySelectorAll(".notice:not([hidden])")];

  /** Scrolls so that no notice covers the focus (WCAG 2.4.11). */
  function uncover() {
    const focused = document.activeElement;
    if (!main.contains(focused) || focused === main || focused.closest(".notice")) return;
    const bottom = focused.getBoundingClientRect().bottom + 8;
    const top = Math.min(innerHeight, ...notices().map((notice) => notice.getBoundingClientRect().top));
    if (bottom > top) scrollBy(0, bottom - top);
  }

  document.addEventListener("focusin", uncover);
  // Browsers leave a link that is partly outside of a strip where it is.
  document.addEventListener("focusin", ({ target }) => {
    const strip = target.matches(":focus-visible") && target.closest(".site nav, .pictures");
    if (!strip) return;
    const [box, edges] = [target, strip].map((element) => element.getBoundingClientRect());
    strip.scrollLeft += Math.max(0, box.right + 32 - edges.right) + Math.min(0, box.left - 32 - edges.left);
  });
  new MutationObserver(uncover).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden"] });

  // A picture that took too long is requested again, a few times.
  document.addEventListener("error", ({ target }) => {
    const tries = Number(target.dataset?.tries ?? 0);
    if (target.tagName !== "IMG" || tries > 3 || !target.src.includes("/images/")) return;
    target.dataset.tries = tries + 1;
    setTimeout(() => { target.src = target.getAttribute("src"); }, 3000 * (tries + 1));
  }, true);

  document.querySelector(".site nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  const settings = document.querySelector(".settings");
  // A choice leads back to the button of the settings. The address was for browsers without this script.
  if (location.hash === "#settings") {
    settings.querySelector("summary").focus();
    history.replaceState(history.state, "", place);
  }
  document.addEventListener("click", ({ target }) => {
    if (!settings.contains(target)) settings.open = false;
  });
  // Another window that gets the focus leaves it open.
  settings.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !settings.contains(relatedTarget)) settings.open = false;
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !settings.open) return;
    if (settings.contains(document.activeElement)) settings.querySelector("summary").focus();
    settings.open = false;
  });

  const resume = () => { open(); observe(); };
  document.addEventListener("visibilitychange", () => { document.hidden ? close() : resume(); });
  window.addEventListener("focus", resume);
  document.addEventListener("pointerdown", open);
  // A page in the back/forward cache must not hold a connection.
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", () => {
    // A page that is shown again waits for nothing.
    left = 0;
    waits.clear();
    busy.hidden = true;
    resume();
  });
  resume();
})();

// Makes pages live. Without this script, every link and form works by loading pages.
"use strict";

(() => {
  // The only place that turns text into HTML. The server escapes all foreign text, and the content security policy allows no
  // other way and no inline scripts.
  const policy = window.trustedTypes?.createPolicy("fragments", { createHTML: (html) => html });
  const trusted = (html) => (policy ? policy.createHTML(html) : html);

  function fragment(html) {
    const template = document.createElement("template");
    template.innerHTML = trusted(html);
    return template.content;
  }

  const main = () => document.getElementById("main");
  const actions = () => document.getElementById("actions");
  const row = (key) => document.getElementById("row-" + key);

  // MARK: Focus

  const focusable = "a[href], button, input, select, textarea, summary, [tabindex]";

  /** Describes a control so that the same one is found in new HTML, even if a button's value changed from on to off. */
  function identity(control) {
    if (control.id) return "#" + control.id;
    const [action, , target] = (control.value ?? "").split(" ");
    return control.name === "do" ? `${action} ${target ?? ""}` : control.getAttribute("href") ?? control.name ?? "";
  }

  /** Replaces HTML inside an element, and keeps the focus on the same control, or near it. */
  function keepingFocus(element, change) {
    const focused = element?.contains(document.activeElement) ? document.activeElement : null;
    const controls = focused ? [...element.querySelectorAll(focusable)] : [];
    const [name, position] = focused ? [identity(focused), controls.indexOf(focused)] : ["", -1];
    const replacement = change() ?? element;
    if (!focused || document.activeElement === focused && focused.isConnected) return;
    const candidates = [...replacement.querySelectorAll(focusable)];
    const target = candidates.find((control) => identity(control) === name)
      ?? candidates[Math.min(Math.max(position, 0), candidates.length - 1)];
    focus(target ?? replacement);
  }

  function focus(element) {
    if (!element.matches(focusable)) element.tabIndex = -1;
    element.focus({ preventScroll: true });
  }

  // MARK: Patches

  const operations = {
    title: ({ text }) => { document.title = text; },
    token: ({ text }) => { actions().elements.namedItem("csrf").value = text; },
    main: ({ html }) => keepingFocus(main(), () => main().replaceChildren(fragment(html))),
    part: ({ id, html }) => {
      if (id === "rows") seen.clear();
      const part = document.getElementById(id);
      if (part) keepingFocus(part, () => part.replaceChildren(fragment(html)));
    },
    remove: ({ row: key }) => {
      const old = row(key);
      if (!old) return;
      const next = old.nextElementSibling ?? old.previousElementSibling ?? main();
      const hasFocus = old.contains(document.activeElement);
      old.remove();
      if (hasFocus) focus(next.querySelector(focusable) ?? next);
    },
    insert: ({ before, html }) => {
      const rows = fragment(html);
      // A page that was loaded again may have a row already.
      for (const { dataset } of rows.querySelectorAll("[data-row]")) row(dataset.row)?.remove();
      document.getElementById("rows")?.insertBefore(rows, before == null ? null : row(before));
    },
    update: ({ row: key, html }) => {
      const old = row(key);
      if (!old) return;
      keepingFocus(old, () => {
        const replacement = fragment(html).firstElementChild;
        old.replaceWith(replacement);
        return replacement;
      });
    },
  };

  // MARK: Streams

  let stream = null;
  let lastEvent = document.body.dataset.event;
  let retry = 0;
  let retryTimer = 0;
  let lastReload = -Infinity;

  /** Opens the page's stream. Only visible pages have one, because browsers limit the connections to a server. */
  function open() {
    if (stream || document.hidden || !document.body.dataset.page) return;
    clearTimeout(retryTimer);
    const address = new URL("/events", location.href);
    address.search = new URLSearchParams({
      page: document.body.dataset.page, after: lastEvent, address: actions().elements.namedItem("address").value,
    });
    stream = new EventSource(address);
    stream.addEventListener("patch", (event) => {
      retry = 0;
      const changes = JSON.parse(event.data);
      const hadMore = document.querySelector("#more a") != null;
      for (const operation of changes) operations[operation.op]?.(operation);
      if (hadMore && isNextPage(changes)) countPage();
      lastEvent = event.lastEventId;
      observe();
    });
    stream.addEventListener("reset", () => {
      close();
      // A browser that rejects the cookie is a new visitor each time, and would reload forever.
      performance.now() - lastReload > 30_000 ? reload() : later(reload);
    });
    // Other visible windows need the connection. They take turns, and miss nothing.
    stream.addEventListener("replaced", () => {
      close();
      clearTimeout(retryTimer);
      retryTimer = setTimeout(open, 2000 + 2000 * Math.random());
    });
    // The browser would reconnect with the address that the page had when the stream began.
    stream.addEventListener("error", () => {
      close();
      later(open);
    });
  }

  function close() {
    stream?.close();
    stream = null;
  }

  function later(action) {
    clearTimeout(retryTimer);
    retry = Math.min(retry + 1, 6);
    retryTimer = setTimeout(action, 1000 * 2 ** retry);
  }

  /** Loads the page again, because the server has forgotten it, and keeps what a person is typing. */
  async function reload() {
    if (document.hidden) return;
    lastReload = performance.now();
    try {
      const response = await fetch(location.href, { headers: { Accept: "text/html" } });
      if (!response.ok || response.redirected) return location.reload();
      const page = new DOMParser().parseFromString(trusted(await response.text()), "text/html");
      const fresh = page.getElementById("main");
      if (!fresh || !page.body.dataset.page) return location.reload();
      const input = document.activeElement?.closest("form[data-live]")?.closest("[data-part]");
      if (input) {
        for (const part of fresh.querySelectorAll("[data-part]")) {
          const old = document.getElementById(part.id);
          if (part.id !== input.id && old) old.replaceWith(part);
        }
      } else {
        keepingFocus(main(), () => main().replaceChildren(...fresh.childNodes));
      }
      actions().replaceChildren(...page.getElementById("actions").childNodes);
      document.body.dataset.page = page.body.dataset.page;
      document.title = page.title;
      lastEvent = page.body.dataset.event;
      observe();
      open();
    } catch {
      later(reload);
    }
  }

  // MARK: Actions

  /** Sends an action; returns whether the server accepted it. */
  async function send(fields) {
    open();
    const body = new URLSearchParams(new FormData(actions()));
    for (const [name, value] of fields) body.append(name, value);
    const response = await fetch(actions().getAttribute("action"), {
      method: "POST", body, headers: { Accept: "application/json" }, redirect: "manual",
    });
    if (response.status === 200) location.assign((await response.json()).location);
    return response.ok;
  }

  document.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    if (form !== actions() || submitter?.value?.startsWith("language ") || form.dataset.native) return;
    event.preventDefault();
    let isDone = false;
    try { isDone = await send([["do", submitter?.value ?? ""]]); } catch { /* Sent as a form instead. */ }
    if (isDone || !submitter?.isConnected) return;
    // The server's answer explains what is wrong.
    form.dataset.native = "true";
    form.requestSubmit(submitter);
  });

  /** Changes the address to which reloading, going back, and forms lead. */
  function setAddress(address) {
    history.replaceState(history.state, "", address);
    const field = actions().elements.namedItem("address");
    if (field) field.value = address.pathname + address.search;
  }

  // MARK: Search as you type

  let isSending = false;
  let pending = null;

  document.addEventListener("input", (event) => {
    const form = event.target.closest("form[data-live]");
    if (!form) return;
    const fields = [...new FormData(form)].filter(([, value]) => value !== "");
    const address = new URL(form.action);
    address.search = new URLSearchParams(fields);
    setAddress(address);
    pending = [["do", "input"], ...new FormData(form)];
    sendInput();
  });

  /** Sends the newest input; one request at a time, so that texts arrive in order. The view model waits for a pause. */
  async function sendInput() {
    if (isSending || !pending) return;
    isSending = true;
    const fields = pending;
    pending = null;
    try { await send(fields); } catch { /* The next input, or the form's button, sends it again. */ }
    isSending = false;
    sendInput();
  }

  // MARK: Endless scrolling

  const seen = new Set();
  const observer = "IntersectionObserver" in window && new IntersectionObserver((entries) => {
    const visible = entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target.dataset.row);
    const last = visible.filter((key) => !seen.has(key)).pop();
    if (last === undefined) return;
    visible.forEach((key) => seen.add(key));
    send([["do", `appeared - ${last}`]]).catch(() => { seen.delete(last); });
  }, { rootMargin: "600px" });

  /** Reports the last rows when they appear, so that the view model loads the next page in time. */
  function observe() {
    if (!observer) return;
    observer.disconnect();
    if (!document.querySelector("#more a")) return;
    for (const element of [...document.querySelectorAll("#rows > [data-row]")].slice(-5)) observer.observe(element);
  }

  /** Whether changes only append rows. */
  function isNextPage(changes) {
    const rows = changes.filter(({ op }) => op === "insert" || op === "remove");
    return rows.length > 0 && rows.every(({ op, before }) => op === "insert" && before == null);
  }

  /** Counts a further page in the address, so that going back finds the same rows. */
  function countPage() {
    const address = new URL(location.href);
    address.searchParams.set("pages", Number(address.searchParams.get("pages") ?? 1) + 1);
    address.hash = "";
    setAddress(address);
  }

  // The address of the link knows only the pages that the document had.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("#more a");
    if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    send([["do", "more"]]).then((isDone) => { if (!isDone) location.assign(link.href); }, () => location.assign(link.href));
  });

  // MARK: Visibility

  const resume = () => { open(); observe(); };
  document.addEventListener("visibilitychange", () => { document.hidden ? close() : resume(); });
  window.addEventListener("focus", resume);
  document.addEventListener("pointerdown", open);
  // A page in the back/forward cache must not hold a connection.
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", resume);
  resume();
})();

#!/usr/bin/env bash
# Installs what the website's browser tests need on Debian: Chromium, WebKit, their drivers, and fonts with Korean and emoji.
# Ubuntu's packages of Chromium are snaps, which containers can't run.
set -euo pipefail

if command -v chromedriver >/dev/null && command -v WebKitWebDriver >/dev/null && command -v xvfb-run >/dev/null && fc-list :lang=ko 2>/dev/null | grep -q .; then exit 0; fi
packages=(chromium chromium-driver fonts-noto-cjk fonts-noto-color-emoji webkit2gtk-driver xvfb xauth)
if ! command -v apt-get >/dev/null; then
    echo "Install Chromium, WebKitGTK, their drivers chromedriver and WebKitWebDriver, Xvfb, and a Korean font." >&2
    exit 1
fi
as_root=""
if [ "$(id -u)" != 0 ]; then as_root="sudo "; fi
$as_root apt-get update -q
$as_root apt-get install -q -y --no-install-recommends "${packages[@]}"

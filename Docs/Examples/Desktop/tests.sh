#!/usr/bin/env bash
# Runs the tests of the window on a display in memory. GTK keeps the accessibility tree in the process, draws without OpenGL, and
# ends the tests at a mistake in calling it.
set -euo pipefail
cd "$(dirname "$0")"
bin="$("${SWIFT:-swift}" build --scratch-path ../../../.build --show-bin-path)"
export GTK_A11Y=test GSK_RENDERER=cairo GSETTINGS_BACKEND=memory LIBGL_ALWAYS_SOFTWARE=1 GDK_BACKEND=x11 G_DEBUG=fatal-criticals
exec xvfb-run -a --server-args="-screen 0 1280x800x24 -nolisten tcp" timeout 180 "$bin/desktop-tests"

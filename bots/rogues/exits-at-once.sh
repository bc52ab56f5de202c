#!/bin/sh
# Ends before it has said a word. It must yield `no-start`.

exit 3

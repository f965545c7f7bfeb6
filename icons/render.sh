#!/bin/sh
# Renders the PNGs from the SVGs; run it after changing one. Needs rsvg-convert (librsvg2-bin)
# and, for the digits, the font DejaVu Sans Bold (fonts-dejavu-core).
set -eu
cd "$(dirname "$0")"

for size in 32 128 256 512; do
    rsvg-convert -w "$size" -h "$size" askdock.svg -o "$size.png"
done

# The tray has room for one glyph: the panel while nothing waits, else the number waiting.
tray() { # name, fill, ink, text
    size=22
    [ "${#4}" -gt 1 ] && size=16
    sed -e "s/@FILL@/$2/" -e "s/@INK@/$3/" -e "s/@TEXT@/$4/" -e "s/@SIZE@/$size/" tray/count.svg |
        rsvg-convert -w 44 -h 44 -o "tray/$1.png"
}
rsvg-convert -w 44 -h 44 tray/idle.svg -o tray/idle.png
for count in 1 2 3 4 5 6 7 8 9 9+; do
    tray "waiting-$count" '#f0a020' '#1c1400' "$count"
    tray "urgent-$count" '#c92a2a' '#ffffff' "$count"
done

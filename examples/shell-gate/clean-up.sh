#!/bin/sh
# Deletes old backups if a person allows it. The exit code of `holdpoint ask` decides.
folder=$1

holdpoint ask "Delete the backups in $folder?" --approve \
  --argument folder="$folder" --argument files:="$(find "$folder" -name '*.bak' | wc -l)" --deadline 8h >&2

case $? in
  0) find "$folder" -name '*.bak' -delete && echo "deleted" ;;
  3) echo "kept: a person said no" ;;
  4) echo "kept: nobody answered in time" ;;
  *) echo "kept: nobody could be asked" >&2; exit 1 ;;
esac

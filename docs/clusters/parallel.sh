#!/bin/bash
# An experiment with GNU parallel, on this machine or, with --sshlogin, on several that share this folder: bash parallel.sh
# The same command again does what is missing.
jobs=$(node_modules/.bin/tied-embeddings experiment expand claim.json | wc -l)
seq 0 $((jobs - 1)) |
  parallel --jobs "${JOBS:-100%}" --joblog claim.log --resume-failed --workdir . \
    node_modules/.bin/tied-embeddings experiment run claim.json --quiet --index {}

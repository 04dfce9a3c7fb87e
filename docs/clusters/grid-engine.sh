#!/bin/bash
# An experiment as a Grid Engine job array: qsub grid-engine.sh
# With -notify the task is told to save before it is killed.
#$ -N claim
#$ -t 1-24
#$ -cwd
#$ -notify
#$ -l h_vmem=2G

node_modules/.bin/tied-embeddings experiment run claim.json --shard auto --quiet
code=$?
# 75: stopped and saved. Grid Engine starts a task again that ends with 99.
if [ "$code" -eq 75 ]; then exit 99; fi
exit "$code"

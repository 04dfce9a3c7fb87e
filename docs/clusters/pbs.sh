#!/bin/bash
# An experiment as a PBS job array: qsub pbs.sh
# PBS says which task this is, but not how many there are: that is --of.
#PBS -N claim
#PBS -J 0-23
#PBS -l select=1:ncpus=1:mem=2gb
#PBS -l walltime=01:00:00
#PBS -r y

cd "${PBS_O_WORKDIR:-.}" || exit 1
exec node_modules/.bin/tied-embeddings experiment run claim.json --shard auto --of 24 --quiet

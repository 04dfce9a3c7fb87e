#!/bin/bash
# An experiment as a Slurm job array: sbatch slurm.sh, or sbatch slurm.sh other.json for another file than claim.json
# 24 tasks, of which 8 run at a time. With more jobs than tasks, each task has several.
#SBATCH --job-name=claim
#SBATCH --array=0-23%8
#SBATCH --cpus-per-task=1
#SBATCH --mem=2G
#SBATCH --time=01:00:00
# A minute before its time is over the task is told to save. The output goes on where it ended.
#SBATCH --signal=USR1@60
#SBATCH --requeue
#SBATCH --open-mode=append

srun node_modules/.bin/tied-embeddings experiment run "${1:-claim.json}" --shard auto --quiet
code=$?
# 75: stopped and saved. The task waits for its next turn, and goes on from there.
if [ "$code" -eq 75 ]; then
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
fi
exit "$code"

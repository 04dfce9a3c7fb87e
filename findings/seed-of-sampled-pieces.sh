#!/bin/sh
# Setting the seed of sampled segmentations has an effect once only.
#
# Software: sentencepiece 0.1.97 (Debian's python3-sentencepiece; not installed here, since that needs an administrator).
# Guess before running: after set_random_generator_seed(1), encode(..., enable_sampling=True) gives the same samples each time. After it had not, before the
# next run: only the first seed of a process counts.
# Seen: so it is, for each thread of a process. Once a thread has drawn a sample, it goes on with its sequence of numbers, whatever seed is set; two processes that set
# the same seed at their start agree, and so do two threads.
# Why it surprises: it is called before each epoch or each experiment, to repeat it or to vary it. Runs that set seeds 1 to 5 in one process train on one long
# sequence instead, the second cannot be repeated alone, and neither is an error.
set -eu
command -v /usr/bin/python3 > /dev/null && /usr/bin/python3 -c 'import sentencepiece, sys; sys.exit(sentencepiece.__version__ != "0.1.97")' 2> /dev/null || {
  echo "not tried: needs sentencepiece 0.1.97 (Debian 12: apt-get install python3-sentencepiece)" >&2
  exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > train.py <<'END'
import random
import sentencepiece

random.seed(0)
words = ["".join(random.choice("abcdefghij") for _ in range(random.randint(2, 7))) for _ in range(300)]
texts = [" ".join(random.choices(words, k=12)) for _ in range(2000)]
with open("model", "wb") as file:
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(texts), model_writer=file, vocab_size=200, minloglevel=2)
with open("text", "w") as file:
    file.write(texts[0])
END
cat > sample.py <<'END'
import threading
import sentencepiece

processor = sentencepiece.SentencePieceProcessor(model_file="model")
text = open("text").read()


def show(thread):
    for seed in (1, 1, 2):
        sentencepiece.set_random_generator_seed(seed)
        lengths = [len(processor.encode(text, enable_sampling=True, alpha=0.1, nbest_size=-1)) for _ in range(20)]
        print(thread, "seed", seed, *lengths)


show("main")
thread = threading.Thread(target=show, args=("other",))
thread.start()
thread.join()
END
cat > compare.py <<'END'
import sys

first, second = (open(name).read().splitlines() for name in ("first", "second"))
print("\n".join(first))
print("another process gives the same:", first == second)
main, again, two, *other = (line.split("seed ")[1][2:] for line in first)
sys.exit(not (first == second and main != again and again != two and [main, again, two] == other))
END
/usr/bin/python3 train.py
/usr/bin/python3 sample.py > first
/usr/bin/python3 sample.py > second
/usr/bin/python3 compare.py

/**
 * Questions to the lab, one at a time. While one is under way only the newest of those that come meanwhile is kept, so
 * that a slider can be dragged as fast as anybody likes: answers keep coming, and the last one is that of the last question.
 * A refusal is told only where nothing newer waits.
 */
export class LatestAnswer<Question, Answer> {
  private busy = false;
  private waiting: { question: Question } | null = null;

  constructor(
    private readonly ask: (question: Question) => Promise<Answer>,
    private readonly answered: (answer: Answer, question: Question) => void,
    private readonly failed: (error: unknown, question: Question) => void,
  ) {}

  /** Whether an answer is still to come. */
  get pending(): boolean {
    return this.busy;
  }

  request(question: Question): void {
    this.waiting = { question };
    if (!this.busy) void this.work();
  }

  private async work(): Promise<void> {
    this.busy = true;
    for (let next = this.waiting; next !== null; next = this.waiting) {
      this.waiting = null;
      const { question } = next;
      const tell = await this.ask(question).then(
        (answer) => () => {
          this.answered(answer, question);
        },
        (error: unknown) => () => {
          // Where the reader has gone on already, what was wrong with the question left behind helps nobody.
          if (!this.hasMore()) this.failed(error, question);
        },
      );
      // Before anybody hears of the answer.
      if (!this.hasMore()) this.busy = false;
      tell();
    }
  }

  private hasMore(): boolean {
    return this.waiting !== null;
  }
}

// How far the page is with one of the things that it follows: live, or broken since when.

const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;
/** Who does not tell something, or refuses, is not asked often. */
const REFUSED_WAIT = 60_000;

/** One thing that is followed. `attempt(signal, live)` does it, and returns why it has ended. */
export class Source {
  /** What: its name for people. */
  constructor(what, attempt, changed) {
    this.what = what;
    this.attempt = attempt;
    this.changed = changed;
    this.state = 'beginning'; // then live, broken, absent, refused or paused
    this.since = new Date();
    this.next = null;
    this.problem = null;
    this.wait = FIRST_WAIT;
    this.running = false;
  }

  start() {
    if (!this.running) {
      this.running = true;
      this.go();
    }
  }

  /** Nobody looks: nothing is followed until the next start. */
  pause() {
    this.running = false;
    this.abort?.abort();
    clearTimeout(this.timer);
    this.become('paused', null);
  }

  /** At once, unless it is live. What is asked at this moment does not count: it is refused without what came since. */
  retry() {
    if (this.running && this.state !== 'live') {
      this.abort?.abort();
      clearTimeout(this.timer);
      this.go();
    }
  }

  async go() {
    this.next = null;
    const abort = new AbortController();
    this.abort = abort;
    let problem;
    try {
      problem = await this.attempt(abort.signal, () => this.live(abort));
    } catch (failure) {
      if (failure.name !== 'AbortError') {
        reportError(failure);
        problem = { kind: 'failed', words: 'The page itself has an error.', told: String(failure) };
      }
    }
    abort.abort(); // Whatever it left open.
    if (this.running && this.abort === abort) {
      this.ended(problem);
    }
  }

  live(abort) {
    if (this.running && this.abort === abort) {
      this.wait = FIRST_WAIT;
      this.become('live', null);
    }
  }

  ended(problem) {
    const slow = problem && (problem.kind === 'absent' || problem.kind === 'refused');
    // Many pages must not come back at the same moment.
    const wait = slow ? REFUSED_WAIT : this.wait * (0.8 + 0.4 * Math.random());
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
    this.next = new Date(Date.now() + wait);
    this.timer = setTimeout(() => this.go(), wait);
    this.become(slow ? problem.kind : 'broken', problem ?? null);
  }

  become(state, problem) {
    if (this.state !== state) {
      this.state = state;
      this.since = new Date();
    }
    this.problem = problem;
    this.changed();
  }
}

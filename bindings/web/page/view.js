// A list of which only the lines in view exist.

export const LINE = 24;
/** Browsers draw nothing beyond some height. A longer list scrolls in larger steps. */
const HIGHEST = 8_000_000;

export class LongList {
  #scroller;
  #room = document.createElement('div');
  #draw;
  #count = 0;
  #turn = 0;
  #planned = false;

  /** `draw(first, count)` gives the lines as elements, perhaps later. */
  constructor(scroller, draw) {
    this.#scroller = scroller;
    this.#draw = draw;
    this.#room.className = 'room';
    this.#room.setAttribute('role', 'presentation');
    scroller.append(this.#room);
    scroller.addEventListener('scroll', () => this.plan());
    new ResizeObserver(() => this.plan()).observe(scroller);
  }

  get #height() {
    return Math.min(this.#count * LINE, HIGHEST);
  }

  get #shown() {
    return Math.ceil(this.#scroller.clientHeight / LINE);
  }

  /** The first line in view. */
  get #first() {
    const { scrollTop, clientHeight } = this.#scroller;
    if (this.#count * LINE <= HIGHEST) return Math.floor(scrollTop / LINE);
    return Math.floor((scrollTop / (this.#height - clientHeight)) * (this.#count - this.#shown + 1));
  }

  resize(count) {
    this.#count = count;
    this.#room.style.height = `${this.#height}px`;
    this.plan();
  }

  /** Scrolls to a line, if it is not in view. */
  show(line) {
    const first = this.#first;
    if (line > first && line < first + this.#shown - 1) return this.plan();
    const target = Math.max(0, line - Math.floor(this.#shown / 3));
    const { clientHeight } = this.#scroller;
    this.#scroller.scrollTop = this.#count * LINE <= HIGHEST
      ? target * LINE
      : (target / (this.#count - this.#shown + 1)) * (this.#height - clientHeight);
    this.plan();
  }

  plan() {
    if (this.#planned) return;
    this.#planned = true;
    requestAnimationFrame(async () => {
      this.#planned = false;
      const turn = ++this.#turn;
      const first = Math.max(0, this.#first);
      const lines = await this.#draw(first, Math.min(this.#shown + 1, this.#count - first));
      // Another drawing may have begun.
      if (turn !== this.#turn || lines === undefined) return;
      const top = this.#count * LINE <= HIGHEST ? first * LINE : this.#scroller.scrollTop;
      lines.forEach((line, i) => (line.style.top = `${Math.min(top + i * LINE, Math.max(this.#height - LINE, 0))}px`));
      this.#scroller.replaceChildren(this.#room, ...lines);
    });
  }
}

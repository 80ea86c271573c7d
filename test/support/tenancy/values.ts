/** Something that a statement computes for a row, such as a column, of which is asked if it is the id of one shop. */
export class Value {
  isOneShop: boolean;

  constructor(isOneShop = false) {
    this.isOneShop = isOneShop;
  }
}

/** A parameter or a constant. */
export const given = Object.freeze(new Value(true));

/** Nothing is known of it. */
export const unknown = Object.freeze(new Value());

/** Conclusions from a statement: where each of the premises is the id of one shop, so is the conclusion. */
export class Implications {
  readonly #implications: { premises: readonly Value[]; conclusion: Value }[] = [];

  add(premises: readonly Value[], conclusion: Value): void {
    this.#implications.push({ premises, conclusion });
  }

  /** A value that is the id of one shop where all of these are. */
  derive(premises: readonly Value[]): Value {
    const conclusion = new Value();
    this.add(premises, conclusion);
    return conclusion;
  }

  /** Draws all conclusions. */
  conclude(): void {
    const news = this.#implications.filter(
      ({ premises, conclusion }) => !conclusion.isOneShop && premises.every(({ isOneShop }) => isOneShop),
    );
    for (const { conclusion } of news) conclusion.isOneShop = true;
    if (news.length > 0) this.conclude();
  }
}

/** A value that a statement computes for a row, such as a column, and that may be the id of one shop. */
export class Value {
  isOneShop: boolean;

  constructor(isOneShop = false) {
    this.isOneShop = isOneShop;
  }
}

/** A parameter or a constant. */
export const given = Object.freeze(new Value(true));

/** An unknown value. */
export const unknown = Object.freeze(new Value());

/** Implications in a statement: if each premise is the id of one shop, so is the conclusion. */
export class Implications {
  readonly #implications: { premises: readonly Value[]; conclusion: Value }[] = [];

  add(premises: readonly Value[], conclusion: Value): void {
    this.#implications.push({ premises, conclusion });
  }

  /** A value that is the id of one shop if all of these are. */
  derive(premises: readonly Value[]): Value {
    const conclusion = new Value();
    this.add(premises, conclusion);
    return conclusion;
  }

  /** Applies all implications. */
  conclude(): void {
    const news = this.#implications.filter(
      ({ premises, conclusion }) => !conclusion.isOneShop && premises.every(({ isOneShop }) => isOneShop),
    );
    for (const { conclusion } of news) conclusion.isOneShop = true;
    if (news.length > 0) this.conclude();
  }
}

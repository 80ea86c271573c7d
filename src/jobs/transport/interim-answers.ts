const STATUS_LENGTH = "HTTP/1.1 100".length;
/** The status line of an interim answer. 101 switches protocols and is final. */
const interim = /^HTTP\/1\.\d 1(?!01)\d\d$/;
const CR = 0x0d;
const LF = 0x0a;
const HEAD_END = [CR, LF, CR, LF];

/**
 * Makes undici accept interim answers. RFC 9110, section 15.2, requires clients to parse them, even unexpected ones.
 * Undici 8 does, but fails on 100, so 100 is changed to 102. Nothing else changes, and every byte still counts.
 */
export class InterimAnswers {
  /** The start of the current status line. */
  #status = "";
  /** The number of bytes of HEAD_END that just matched. */
  #ended = 0;
  #isOver = false;

  /** Changes bytes of the answer in place. Chunks may be split anywhere. */
  pass(chunk: Buffer): void {
    for (let index = 0; index < chunk.length && !this.#isOver; index += 1) {
      if (this.#status.length < STATUS_LENGTH) this.#passStatus(chunk, index);
      else this.#passHead(chunk[index]!);
    }
  }

  #passStatus(chunk: Buffer, index: number): void {
    const byte = chunk[index]!;
    // The parser also accepts empty lines before an answer.
    if (this.#status === "" && (byte === CR || byte === LF)) return;
    this.#status += String.fromCharCode(byte);
    if (this.#status.length < STATUS_LENGTH) return;
    this.#isOver = !interim.test(this.#status);
    if (this.#status.endsWith(" 100")) chunk.write("2", index);
  }

  #passHead(byte: number): void {
    if (byte === HEAD_END[this.#ended]) this.#ended += 1;
    else this.#ended = byte === CR ? 1 : 0;
    if (this.#ended < HEAD_END.length) return;
    this.#status = "";
    this.#ended = 0;
  }
}

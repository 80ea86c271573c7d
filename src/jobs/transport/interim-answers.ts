const STATUS_LENGTH = "HTTP/1.1 100".length;
/** The status of an answer that another follows; 101 leads to another protocol. */
const interim = /^HTTP\/1\.\d 1(?!01)\d\d$/;
const CR = 0x0d;
const LF = 0x0a;
const HEAD_END = [CR, LF, CR, LF];

/**
 * Reads past the interim answers that come before the answer to one request. RFC 9110, section 15.2, has a client parse
 * them, also unasked. Undici 8 does, but breaks off at 100, so that a 100 is handed to it as a 102. Nothing else of the
 * answer is changed, and every byte still counts.
 */
export class InterimAnswers {
  /** The beginning of the status line that is being read. */
  #status = "";
  /** The bytes of the end of the head that have just been read. */
  #ended = 0;
  #isOver = false;

  /** Changes bytes of the answer in their place, which come in whatever pieces. */
  pass(chunk: Buffer): void {
    for (let index = 0; index < chunk.length && !this.#isOver; index += 1) {
      if (this.#status.length < STATUS_LENGTH) this.#passStatus(chunk, index);
      else this.#passHead(chunk[index]!);
    }
  }

  #passStatus(chunk: Buffer, index: number): void {
    const byte = chunk[index]!;
    // The parser takes empty lines before an answer, too.
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

import { isAscii, isUtf8 } from "node:buffer";
import { unreadable } from "./unreadable.ts";

const HEAD_SIZE = 64 * 1024;

/** The first bytes of files that people take for CSV, in hexadecimal. */
const signatures: [start: string, kind: string][] = [
  ["504b0304", "an Excel workbook or a ZIP archive"],
  ["d0cf11e0", "an Excel workbook"],
  ["1f8b", "a compressed file"],
  ["25504446", "a PDF"],
];

/**
 * Decodes UTF-8 and UTF-16, with or without a byte order mark. Other bytes are Windows-1252, in which Excel saves CSV.
 * The first text has the first 64 KiB, or the whole file. Sets `found.encoding` as soon as it is known.
 *
 * @throws AppError VALIDATION_FAILED when it is not a text file
 */
export async function* decodeText(
  chunks: AsyncIterable<Buffer>,
  found: { encoding: string },
): AsyncGenerator<string, void> {
  let decode: ((bytes: Buffer, stream: boolean) => string) | undefined;
  let head = Buffer.alloc(0);
  const first = () => {
    const encoding = detectUtf16(head);
    decode = encoding ? decoderOf(encoding, found) : utf8Decoder(found);
    return checkStart(decode(head, true));
  };
  for await (const chunk of chunks) {
    if (decode) {
      yield checkText(decode(chunk, true));
    } else {
      head = Buffer.concat([head, chunk]);
      if (head.length >= HEAD_SIZE) yield first();
    }
  }
  if (!decode) yield first();
  yield checkText(decode!(Buffer.alloc(0), false));
}

function detectUtf16(head: Buffer): "UTF-16LE" | "UTF-16BE" | undefined {
  const start = head.toString("hex", 0, 8);
  const kind = signatures.find(([signature]) => start.startsWith(signature))?.[1];
  if (kind) throw notCsv(kind);
  if (start.startsWith("fffe") || /^(?!00)..00/.test(start)) return "UTF-16LE";
  return start.startsWith("feff") || /^00(?!00)/.test(start) ? "UTF-16BE" : undefined;
}

function decoderOf(encoding: string, found: { encoding: string }) {
  found.encoding = encoding;
  const decoder = new TextDecoder(encoding);
  return (bytes: Buffer, stream: boolean) => decoder.decode(bytes, { stream });
}

/** Decodes UTF-8 until the first characters beyond ASCII are something else. */
function utf8Decoder(found: { encoding: string }) {
  found.encoding = "UTF-8";
  const decoder = new TextDecoder();
  let isCertain = false;
  let rest = Buffer.alloc(0);
  let windows: ReturnType<typeof decoderOf> | undefined;
  return (chunk: Buffer, stream: boolean) => {
    if (windows) return windows(chunk, stream);
    const bytes = Buffer.concat([rest, chunk]);
    const end = stream ? endOfCharacters(bytes) : bytes.length;
    if (!isCertain && !isUtf8(bytes.subarray(0, end))) {
      // A file in UTF-8 may have a few broken characters.
      const [broken, others] = [/\ufffd/g, /[^\0-\x7f\ufffd]/g].map(
        (characters) => (bytes.toString().match(characters) ?? []).length,
      ) as [number, number];
      if (broken > others) return (windows = decoderOf("Windows-1252", found))(bytes, stream);
    }
    isCertain ||= !isAscii(bytes.subarray(0, end));
    rest = bytes.subarray(end);
    return decoder.decode(bytes.subarray(0, end), { stream });
  };
}

/** The length without an incomplete UTF-8 character. */
function endOfCharacters(bytes: Buffer): number {
  const tail = bytes.subarray(-3);
  const start = tail.findLastIndex((byte) => byte >= 0xc0);
  const first = tail[start] ?? 0;
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  return start >= 0 && start + size > tail.length ? bytes.length - tail.length + start : bytes.length;
}

function checkStart(text: string): string {
  const [first] = text.trimStart();
  if (first === "<") throw notCsv("a web page or XML");
  if (first === "{" || first === "[") throw notCsv("JSON");
  if (first === undefined) throw unreadable("The file is empty.", "Choose a file whose first row names the columns.");
  return checkText(text);
}

function checkText(text: string): string {
  if (text.includes("\0")) throw notCsv("a binary file");
  return text;
}

function notCsv(kind: string) {
  return unreadable(`The file is ${kind}, not CSV.`, "Open it in a spreadsheet and save it as CSV UTF-8.");
}

import { isAscii } from "node:buffer";
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
 * Finds the encoding of a file, which is UTF-8, UTF-16 with or without a byte order mark, or Windows-1252, in which Excel
 * saves CSV. Returns it with the first 64 KiB of text.
 *
 * @throws AppError VALIDATION_FAILED when it is not a text file
 */
export async function detectEncoding(chunks: AsyncIterable<Buffer>): Promise<{ encoding: string; head: string }> {
  let start = Buffer.alloc(0);
  let broken = 0;
  let foreign = 0;
  let isValid = true;
  const decoder = new TextDecoder();
  const strict = new TextDecoder("UTF-8", { fatal: true });
  for await (const chunk of chunks) {
    if (start.length < HEAD_SIZE) start = Buffer.concat([start, chunk]);
    isValid &&= canDecode(strict, chunk);
    const text = decoder.decode(chunk, { stream: true });
    if (isAscii(chunk)) continue;
    broken += text.split("\ufffd").length - 1;
    foreign += text.replace(/[\0-\x7f]+/g, "").length;
  }
  // A file in UTF-8 may have a few broken characters.
  const encoding = detectUtf16(start) ?? (isValid || broken <= foreign / 2 ? "UTF-8" : "Windows-1252");
  const head = new TextDecoder(encoding).decode(start.subarray(0, HEAD_SIZE), { stream: true });
  return { encoding, head: checkStart(head) };
}

function canDecode(decoder: TextDecoder, bytes: Buffer): boolean {
  try {
    decoder.decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** @throws AppError VALIDATION_FAILED when it is not a text file */
export async function* decodeText(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string, void> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield checkText(decoder.decode(chunk, { stream: true }));
  yield decoder.decode();
}

function detectUtf16(head: Buffer): "UTF-16LE" | "UTF-16BE" | undefined {
  const start = head.toString("hex", 0, 8);
  const kind = signatures.find(([signature]) => start.startsWith(signature))?.[1];
  if (kind) throw notCsv(kind);
  if (start.startsWith("fffe") || /^(?!00)..00/.test(start)) return "UTF-16LE";
  return start.startsWith("feff") || /^00(?!00)/.test(start) ? "UTF-16BE" : undefined;
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

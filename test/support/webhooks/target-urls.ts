import { isIPv6 } from "node:net";
import { privateAddresses } from "./addresses.ts";

/** Formats an address as the host of a URL. */
export function literal(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}

const literals = privateAddresses
  .filter((address) => !address.includes("%"))
  .map((address) => `https://${literal(address)}/`);

/** Other notations of 127.0.0.1, 169.254.169.254, 10.0.0.1 and 0.0.0.0. */
const otherForms = [
  ["0177.0.0.1", "0177.0.0.01", "00000177.0.0.1", "017700000001", "0x7f.0.0.1", "0x7F.0x0.0x0.0x1", "0x7f000001"],
  ["2130706433", "127.1", "127.0.1", "127.0.0.1.", "127.65535", "0x7f.1", "0177.1", "127.0x1", "0x7f.0.0.1."],
  ["0251.0376.0251.0376", "0xa9.0xfe.0xa9.0xfe", "0xa9fea9fe", "2852039166", "025177524776", "169.254.43518"],
  [
    "169.16689662",
    "169.254.0xa9fe",
    "10.1",
    "012.1",
    "0xa.1",
    "167772161",
    "192.168.257",
    "0",
    "0x0",
    "00",
    "0.",
    "0x",
  ],
  ["１２７.０.０.１", "①②⑦.⓪.⓪.①", "127。0。0。1", "127．0．0．1", "127｡0｡0｡1", "%31%32%37.0.0.1", "127%2e0%2e0%2e1"],
  ["127.0.\t0.1", "127.0.\n0.1", "127.0.0.\u{ad}1", "127.0.0.1:443", "127.0.0.1:8443", "[::1]:8443"],
  ["[::ffff:127.0.0.1]", "[::FFFF:7F00:0001]", "[0:0:0:0:0:ffff:7f00:1]", "[::ffff:0x7f.1]", "[::127.0.0.1]"],
  ["[0000:0000:0000:0000:0000:0000:0000:0001]", "[::ffff:169.254.169.254]", "[64:ff9b::169.254.169.254]"],
  [
    "[2002:a9fe:a9fe::]",
    "[fe80::1%25eth0]",
    "[fe80::1%eth0]",
    "[::1%25lo]",
    "[v1.fe80::1]",
    "[::1",
    "::1",
    "[127.0.0.1]",
  ],
]
  .flat()
  .map((host) => `https://${host}/`);

const names = [
  ["localhost", "LOCALHOST", "localhost.", "LocalHost.", "app.localhost", "app.localhost.", "localhost:8443"],
  ["%6cocalhost", "ｌｏｃａｌｈｏｓｔ", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "local\u{ad}host", "localhost%2e", "app.local", "printer.LOCAL."],
  [
    "metadata.google.internal",
    "metadata.google.internal.",
    "host.docker.internal",
    "kubernetes.default.svc.cluster.local",
  ],
  ["intranet", "metadata", "kubernetes", "db.", "com", "a..com", ".com", "receiver.example..", ".", ".."],
  ["1.0.0.127.in-addr.arpa", "printer.home.arpa", "abcdefgh.onion", "name.alt", "receiver.test", "receiver.invalid"],
  [
    "nas.lan",
    "nas.home",
    "erp.corp",
    "wiki.intranet",
    "db.private",
    "host.localdomain",
    "merchant.default.svc",
    "A.LAN.",
  ],
]
  .flat()
  .map((host) => `https://${host}/`);

const parts = [
  ["https://user@receiver.example/", "https://user:pass@receiver.example/", "https://:pass@receiver.example/"],
  ["https://receiver.example@127.0.0.1/", "https://receiver.example%40127.0.0.1/", "https://1.1.1.1:x@127.0.0.1/"],
  [
    "https://127.0.0.1#@receiver.example/",
    "https://127.0.0.1?@receiver.example/",
    "https://127.0.0.1\\@receiver.example/",
  ],
  ["https:///127.0.0.1/", "https:127.0.0.1", "https:/127.0.0.1", "https:\\\\127.0.0.1\\", " https://127.0.0.1/ "],
  ["https://receiver.example:0/", "https://receiver.example:22/", "https://receiver.example:25/"],
  ["https://receiver.example:80/", "https://receiver.example:1023/", "https://receiver.example:65536/"],
  ["https://receiver.example:-1/", "https://receiver.example:abc/", "https://receiver.example:%34%34%33/"],
  ["http://receiver.example/", "http://1.1.1.1/", "HTTP://receiver.example:443/", "ftp://receiver.example/"],
  [
    "file:///etc/passwd",
    "file://receiver.example/",
    "gopher://127.0.0.1:6379/_",
    "dict://127.0.0.1:6379/",
    "ws://a.example/",
  ],
  [
    "wss://receiver.example/",
    "data:text/plain,a",
    "javascript:alert(1)",
    "blob:https://receiver.example/a",
    "unix:/run/a",
  ],
  ["", " ", "receiver.example", "//receiver.example/", "/hooks", "https://", "https://?", "https://#", "https:// /"],
  ["https://receiver.example\n.elsewhere.example/", "https://receiver.example/a\tb", "\rhttps://receiver.example/"],
  ["https://receiver.example/\x7f", "https://receiver.example/\u{85}"],
  ["https://receiver.exa mple/", "https://receiver<.example/", "https://receiver.example%00/", "https://\0.example/"],
].flat();

/** Targets that are refused by their text. */
export const refusedUrls = [...literals, ...otherForms, ...names, ...parts];

/** Accepted targets. */
export const acceptedUrls = [
  ["https://receiver.example", "https://receiver.example/", "https://RECEIVER.example./hooks?a=b#c"],
  ["https://receiver.example:443/", "https://receiver.example:1024/", "https://receiver.example:65535/"],
  ["https://1.1.1.1/", "https://[2606:4700:4700::1111]/", "https://0x01010101/", "https://xn--mller-kva.example/"],
  ["https://müller.example/", "https://localhost.receiver.example/", "https://127.0.0.1.receiver.example/"],
  [
    "https://receiver.example\\@127.0.0.1/",
    "https://receiver.example/@127.0.0.1",
    "https://receiver.example?u=http://127.0.0.1",
  ],
].flat();

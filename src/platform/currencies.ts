// ISO 4217, list one, as SIX published it on 17 September 2026:
// https://www.six-group.com/en/products-services/financial-information/market-reference-data/data-standards.html
// Codes without a minor unit (precious metals, SDR, test codes) are left out. Each shop stores the decimals that it was
// created with, so a change of this table affects new shops only.
const CODES_BY_DECIMALS = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  2:
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP " +
    "COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR " +
    "JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN " +
    "NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL " +
    "THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW",
};

// Cash digits and rounding of CLDR 48.2, currencyData.json of the npm package cldr-core, in the amounts that they mean.
const CODES_BY_CASH_STEP = {
  "0.05": "CAD CHF",
  "0.50": "DKK",
  "1": "AMD CRC CZK GYD MNT MUR NOK RSD SEK TWD TZS UZS",
  "5": "HUF",
};

/** The amount to whose multiples cash is usually rounded, by currency. */
export const usualCashRounding: ReadonlyMap<string, string> = new Map(
  Object.entries(CODES_BY_CASH_STEP).flatMap(([step, codes]) => codes.split(" ").map((code) => [code, step] as const)),
);

/** The decimal places of each current currency: 2 for EUR, 0 for JPY, 3 for KWD. */
export const currencyDecimals: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES_BY_DECIMALS).flatMap(([decimals, codes]) =>
    codes.split(" ").map((code) => [code, Number(decimals)] as const),
  ),
);

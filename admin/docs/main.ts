import "../style.css";
import "./docs.css";
import { offerCopies } from "./copy-buttons.ts";
import { fillChapters, offerTrying } from "./try-it.ts";
import { rememberLanguage } from "./languages.ts";
import { followPlace } from "./place.ts";
import { offerSearch } from "./search.ts";

rememberLanguage();
fillChapters();
offerCopies();
offerSearch();
offerTrying();
followPlace();

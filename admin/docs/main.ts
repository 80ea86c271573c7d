import "../style.css";
import "./docs.css";
import { offerCopies } from "./copy-buttons.ts";
import { fillChapters } from "./fill-chapters.ts";
import { rememberLanguage } from "./languages.ts";
import { followPlace } from "./place.ts";
import { offerSearch } from "./search.ts";
import { offerTrying } from "./try-it.ts";

rememberLanguage();
fillChapters();
offerCopies();
offerSearch();
offerTrying();
followPlace();

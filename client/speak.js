/** Asks for the words of this device's language while the page's other files come. */

import { bestLanguage, catalogueOf } from "./i18n.js";
import { settings } from "./storage.js";

void catalogueOf(settings().language ?? bestLanguage(navigator.languages));

// A page: nothing but the shared parts.
import { bind } from "./kit.js";

bind();

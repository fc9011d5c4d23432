export { CallStats } from "./call-stats.js";
export { createHosting, type Hosting } from "./host.js";
export { DEFAULT_HOSTING_LIMITS, type HostingLimits, receivableAnswer } from "./limits.js";

// The types of usher.js, which Clients/JavaScript/build.js writes.
export * from "../../Clients/JavaScript/types/usher.js";

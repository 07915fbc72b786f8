/** @typedef {{ type: string, data: string, id: string }} ServerSentEvent */
/** A parser of server-sent events (HTML, 9.2.6): `EventSource` sends no headers, and node has none. */
export class EventReader {
    /** Milliseconds that the server asks to wait before the next connection; 0 where it has not. */
    retry: number;
    /**
     * @param {string} text What came, cut anywhere.
     * @returns {ServerSentEvent[]} Those that are complete now.
     */
    read(text: string): ServerSentEvent[];
    #private;
}
export type ServerSentEvent = {
    type: string;
    data: string;
    id: string;
};

/** @typedef {{ type: string, data: string, id: string }} ServerSentEvent */
/**
 * A parser of server-sent events (HTML, 9.2.6), because `EventSource` cannot send headers and node has no
 * `EventSource`.
 */
export class EventReader {
    /** The milliseconds that the server requests before the next connection; 0 by default. */
    retry: number;
    /**
     * @param {string} text A piece of any size.
     * @returns {ServerSentEvent[]} The events that are complete.
     */
    read(text: string): ServerSentEvent[];
    #private;
}
export type ServerSentEvent = {
    type: string;
    data: string;
    id: string;
};

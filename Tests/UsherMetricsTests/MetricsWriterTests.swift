import Testing
import UsherMetrics

@Suite("Metrics as text")
struct MetricsWriterTests {
    @Test func `a metric's help and type are written once, before its samples`() {
        let text = text { writer in
            writer.begin("doors_opened_total", .counter, "Doors that were opened.")
            writer.sample(3, ["side": "left"])
            writer.sample(4, ["side": "right", "floor": "2"])
            writer.begin("doors", .gauge, "Doors.")
            writer.sample(7)
        }
        #expect(
            text == """
                # HELP doors_opened_total Doors that were opened.
                # TYPE doors_opened_total counter
                doors_opened_total{side="left"} 3
                doors_opened_total{side="right",floor="2"} 4
                # HELP doors Doors.
                # TYPE doors gauge
                doors 7

                """)
    }

    @Test func `quotation marks, backslashes and line feeds in labels and help are escaped`() {
        let text = text { writer in
            writer.begin("a", .gauge, "back\\slash, line\nfeed, \"quotes\"")
            writer.sample(1, ["b": "back\\slash, line\nfeed, \"quotes\", höflich"])
        }
        #expect(
            text == #"""
                # HELP a back\\slash, line\nfeed, "quotes"
                # TYPE a gauge
                a{b="back\\slash, line\nfeed, \"quotes\", höflich"} 1

                """#)
    }

    @Test func `the buckets of a histogram are cumulative, and the last one counts every value`() {
        let histogram = Histogram(bounds: [100_000_000, 2_000_000_000], scale: 1_000_000_000)
        for value in [0, 100_000_000, 100_000_001, 2_000_000_000, 2_000_000_001] { histogram.record(value) }
        let text = text { writer in
            writer.begin("wait_seconds", .histogram, "How long.")
            writer.samples(histogram.distribution, ["door": "front"])
        }
        #expect(
            text == """
                # HELP wait_seconds How long.
                # TYPE wait_seconds histogram
                wait_seconds_bucket{door="front",le="0.1"} 2
                wait_seconds_bucket{door="front",le="2.0"} 4
                wait_seconds_bucket{door="front",le="+Inf"} 5
                wait_seconds_sum{door="front"} 4.200000002
                wait_seconds_count{door="front"} 5

                """)
    }

    @Test func `a histogram of whole numbers without labels is written as text`() {
        let histogram = Histogram(bounds: [1, 10])
        histogram.record(5)
        let text = text { writer in
            writer.begin("group", .histogram, "How many.")
            writer.samples(histogram.distribution)
        }
        #expect(
            text.hasSuffix(
                "group_bucket{le=\"1\"} 0\ngroup_bucket{le=\"10\"} 1\ngroup_bucket{le=\"+Inf\"} 1\ngroup_sum 5\ngroup_count 1\n"
            ))
    }

    @Test(arguments: [(0.5, "0.5"), (1e-9, "1e-09"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN")])
    func `a number is written as the Prometheus format requires`(value: Double, text expected: String) {
        let text = text { writer in
            writer.begin("a", .gauge, "A.")
            writer.sample(value)
        }
        #expect(text.hasSuffix("\na \(expected)\n"))
    }

    private func text(_ body: (inout MetricsWriter) -> Void) -> String {
        var writer = MetricsWriter()
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

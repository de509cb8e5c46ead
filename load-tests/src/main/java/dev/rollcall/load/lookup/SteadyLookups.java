package dev.rollcall.load.lookup;

import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.model.Endpoint;
import dev.rollcall.wire.tls.TlsFiles;
import java.net.InetAddress;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * Questions about a node's calls at a steady rate, while something else is measured.
 *
 * @param port of the gateway on 127.0.0.1
 * @param source whose calls are asked for, of ports from {@link #FIRST_PORT} on
 * @param ports how many of them
 */
public record SteadyLookups(
    int port, Optional<TlsFiles> asker, InetAddress source, int ports, Endpoint destination) {
  public static final int FIRST_PORT = LoadOptions.FIRST_PORT;

  /** Nanoseconds from when each question was due until its answer. */
  public record Seen(Histogram latency, long asked, long found) {}

  /** Asks, by Identify. */
  public Seen ask(int rate, int seconds) {
    var options =
        new LoadOptions(
            "127.0.0.1",
            port,
            rate,
            seconds,
            0,
            1,
            LoadOptions.Kind.EACH,
            source,
            ports,
            destination,
            asker,
            false);
    try (var run = LookupRun.connect(options)) {
      LoadReport report = run.run();
      return new Seen(report.tally().latency, report.asked(), report.tally().found.sum());
    } catch (LoadFailedException e) {
      throw new BenchFailedException("the gateway was asked in vain: " + e.getMessage(), e);
    }
  }
}

package dev.rollcall.testkit.trace;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTracePartialSuccess;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Takes traces by OTLP over HTTP, on loopback. */
public final class TraceCollector implements AutoCloseable {
  private static final int OK = 200;
  private static final int WRONG = 400;

  private final HttpServer server;
  private final Consumer<byte[]> sink;
  private final List<ReceivedSpan> spans = new CopyOnWriteArrayList<>();
  private final AtomicInteger requests = new AtomicInteger();
  private volatile int status = OK;
  private volatile long rejecting;

  private TraceCollector(int port, Consumer<byte[]> sink) throws IOException {
    this.sink = sink;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext("/v1/traces", this::take);
  }

  /**
   * @param port 0: any
   */
  public static TraceCollector start(int port) throws IOException {
    return start(port, _ -> {});
  }

  /**
   * @param sink takes each request too
   */
  static TraceCollector start(int port, Consumer<byte[]> sink) throws IOException {
    var collector = new TraceCollector(port, sink);
    collector.server.start();
    return collector;
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /** From now on it answers so, and takes nothing unless that is 200. */
  public void answerWith(int httpStatus) {
    status = httpStatus;
  }

  /** From now on it says of each request that it did not take so many. */
  public void reject(long spansOfEach) {
    rejecting = spansOfEach;
  }

  public int requests() {
    return requests.get();
  }

  /** All that came, in the order in which it came. */
  public List<ReceivedSpan> spans() {
    return List.copyOf(spans);
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      requests.incrementAndGet();
      byte[] request = exchange.getRequestBody().readAllBytes();
      List<String> type = exchange.getRequestHeaders().get("content-type");
      if (!List.of("application/x-protobuf").equals(type)) {
        exchange.sendResponseHeaders(WRONG, -1);
      } else if (status != OK) {
        exchange.sendResponseHeaders(status, -1);
      } else {
        spans.addAll(ReceivedSpan.of(request));
        sink.accept(request);
        byte[] answer = answer();
        exchange.sendResponseHeaders(OK, answer.length == 0 ? -1 : answer.length);
        exchange.getResponseBody().write(answer);
      }
    }
  }

  private byte[] answer() {
    return rejecting == 0
        ? new byte[0]
        : ExportTraceServiceResponse.newBuilder()
            .setPartialSuccess(ExportTracePartialSuccess.newBuilder().setRejectedSpans(rejecting))
            .build()
            .toByteArray();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

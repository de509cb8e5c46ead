package dev.rollcall.wire.metrics;

import dev.rollcall.wire.memory.HeldMemory;
import dev.rollcall.wire.memory.MemoryUse;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/**
 * Sends a page that is kept in gzip: as it is, or unpacked for clients that do not accept gzip. A
 * piece is sent when the one before has left, so that a client that reads slowly holds the page and
 * one piece; the page counts in its memory.
 */
final class CompressedPage {
  private static final int PIECE = 16 << 10;

  /** The window and the tables of an inflater (zlib's inflateInit2), and a piece. */
  private static final int UNPACKING = 64 << 10;

  private CompressedPage() {}

  static void send(byte[] page, HttpServerRequest request, HeldMemory memory) {
    HttpServerResponse response = request.response();
    int held = page.length + UNPACKING;
    if (!memory.take(MemoryUse.OUTGOING, held)) {
      response.setStatusCode(503).end("other requests of this client hold its memory\n");
      return;
    }
    String accepted = request.getHeader(HttpHeaders.ACCEPT_ENCODING);
    boolean packed = accepted != null && accepted.contains("gzip");
    if (packed) {
      response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
    }
    response.setChunked(true);
    try {
      InputStream bytes = new ByteArrayInputStream(page);
      next(packed ? bytes : new GZIPInputStream(bytes, PIECE), response);
    } catch (IOException e) {
      throw new IllegalStateException("a page that was made here is no gzip", e);
    }
  }

  private static void next(InputStream rest, HttpServerResponse response) {
    try {
      byte[] piece = rest.readNBytes(PIECE);
      if (piece.length == 0) {
        rest.close();
        var _ = response.end();
      } else {
        response.write(Buffer.buffer(piece)).onSuccess(_ -> next(rest, response));
      }
    } catch (IOException e) {
      throw new IllegalStateException("a page that was made here is no gzip", e);
    }
  }
}

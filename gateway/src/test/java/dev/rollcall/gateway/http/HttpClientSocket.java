package dev.rollcall.gateway.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client of HTTP/1.1 that sends what a test has it send, and no more. */
final class HttpClientSocket implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 30_000;

  private final Socket socket;
  private final BufferedReader answer;

  HttpClientSocket(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(PATIENCE_MILLIS);
    answer =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
  }

  /** The headers of a request, and nothing of its body. */
  HttpClientSocket post(String path, String header) throws IOException {
    return send(
        "POST "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\ncontent-type: application/json\r\n"
            + header
            + "\r\n\r\n");
  }

  HttpClientSocket send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    return this;
  }

  /** The first line of the next answer. */
  String status() throws IOException {
    return String.valueOf(answer.readLine());
  }

  /** Whether the server closes the connection. */
  boolean ends() {
    try {
      while (answer.readLine() != null) {
        // What it says yet is another test's.
      }
      return true;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

package dev.rollcall.gateway.browser;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Calls and events of https://chromedevtools.github.io/devtools-protocol/, on one WebSocket. */
final class Devtools implements WebSocket.Listener, AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final Map<Integer, CompletableFuture<JsonObject>> calls = new ConcurrentHashMap<>();
  private final Map<String, List<BiConsumer<String, JsonObject>>> listeners =
      new ConcurrentHashMap<>();
  private final AtomicInteger ids = new AtomicInteger();
  private final StringBuilder text = new StringBuilder();
  private final HttpClient client = HttpClient.newHttpClient();
  private @Nullable WebSocket socket;

  static Devtools connect(URI address) {
    var devtools = new Devtools();
    devtools.socket =
        devtools
            .client
            .newWebSocketBuilder()
            .buildAsync(address, devtools)
            .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
            .join();
    return devtools;
  }

  /**
   * @param session of a page; empty: the browser itself
   * @throws AssertionError if the browser refuses
   */
  synchronized JsonObject call(Optional<String> session, String method, JsonObject parameters) {
    int id = ids.incrementAndGet();
    var message = new JsonObject();
    message.addProperty("id", id);
    message.addProperty("method", method);
    message.add("params", parameters);
    session.ifPresent(name -> message.addProperty("sessionId", name));
    var answer = new CompletableFuture<JsonObject>();
    calls.put(id, answer);
    WebSocket open = socket;
    if (open == null) {
      throw new IllegalStateException("not connected");
    }
    open.sendText(message.toString(), true).join();
    JsonObject said = answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    if (said.has("error")) {
      throw new AssertionError(method + " " + parameters + ": " + said.get("error"));
    }
    return said.getAsJsonObject("result");
  }

  /** Events of a page, by their names and parameters, on a thread of the socket. */
  void listen(String session, BiConsumer<String, JsonObject> listener) {
    listeners.computeIfAbsent(session, _ -> new CopyOnWriteArrayList<>()).add(listener);
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
    text.append(part);
    if (last) {
      JsonObject message = JsonParser.parseString(text.toString()).getAsJsonObject();
      text.setLength(0);
      read(message);
    }
    from.request(1);
    return null;
  }

  private void read(JsonObject message) {
    if (message.has("id")) {
      CompletableFuture<JsonObject> answer = calls.remove(message.get("id").getAsInt());
      if (answer != null) {
        answer.complete(message);
      }
    } else if (message.has("sessionId")) {
      listeners
          .getOrDefault(message.get("sessionId").getAsString(), List.of())
          .forEach(listener ->
              listener.accept(
                  message.get("method").getAsString(), message.getAsJsonObject("params")));
    }
  }

  @Override
  public void close() {
    WebSocket open = socket;
    if (open != null) {
      open.abort();
    }
    client.shutdownNow();
  }
}

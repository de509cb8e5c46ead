package dev.rollcall.gateway.http;

import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The description that the gateway ships. */
public final class OpenApiFile {
  private static final Path SHIPPED =
      Path.of("src/main/resources/dev/rollcall/gateway/http/openapi.json");

  private OpenApiFile() {}

  public static String shipped() throws IOException {
    return Files.readString(SHIPPED);
  }

  /** As it should be, left in {@code target/openapi.json} too. */
  public static String made(List<ServerServiceDefinition> services) throws IOException {
    String text = OpenApi.of(new Routes(services).all());
    Files.writeString(Path.of("target/openapi.json"), text);
    return text;
  }
}

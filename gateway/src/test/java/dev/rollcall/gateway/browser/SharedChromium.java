package dev.rollcall.gateway.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests the Chromium that they share: its start takes as long as a test. Each page is of its
 * own. It is gone after the last test.
 */
public final class SharedChromium implements ParameterResolver {
  private static final ExtensionContext.Namespace HERE =
      ExtensionContext.Namespace.create(SharedChromium.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Chromium.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(HERE)
        .computeIfAbsent(Chromium.class, _ -> start(), Chromium.class);
  }

  private static Chromium start() {
    try {
      return Chromium.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package dev.rollcall.cli.ask;

import dev.rollcall.cli.text.Printing;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that asks an agent or a gateway, and prints what it hears. */
public abstract class AskingCommand implements Callable<Integer> {
  @Mixin protected final TargetOptions asking = new TargetOptions();
  @Mixin protected final Printing printing = new Printing();

  protected CliContext outside = CliContext.NONE;

  /** Gives it what it reaches outside of itself, before it is run. */
  public void reach(CliContext other) {
    outside = other;
  }

  protected Users users() {
    return outside.users();
  }
}

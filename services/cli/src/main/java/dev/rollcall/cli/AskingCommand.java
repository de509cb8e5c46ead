package dev.rollcall.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that asks an agent or a gateway, and prints what it hears. */
abstract class AskingCommand implements Callable<Integer> {
  @Mixin final TargetOptions asking;
  @Mixin final Printing printing = new Printing();

  final Users users;

  AskingCommand(CliContext outside) {
    asking = new TargetOptions(outside.exchange());
    users = outside.users();
  }
}

package dev.rollcall.load.login;

import dev.rollcall.load.bench.CProgram;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The program that stands where sshd does; its source says what it is told. */
record ProbeServer(Path program) {
  /** Compiles it into a directory that every user may look into. */
  static ProbeServer compile(Path directory) {
    return new ProbeServer(CProgram.compile(ProbeServer.class, "login_probe", directory, "-lpam"));
  }

  String[] serve(int... ports) {
    var argv = new ArrayList<>(List.of(program.toString(), "serve"));
    for (int port : ports) {
      argv.add(Integer.toString(port));
    }
    return argv.toArray(String[]::new);
  }

  String[] crowd(int processes) {
    return new String[] {program.toString(), "crowd", Integer.toString(processes)};
  }

  String[] call(LoginSeries calls, int rounds) {
    var argv = new ArrayList<>(List.of(program.toString(), "call", calls.user().login()));
    argv.add(Integer.toString(rounds));
    argv.add(Integer.toString(calls.connections()));
    argv.add(calls.order().word());
    argv.add(Long.toString(calls.busyWithKeys().toMillis()));
    calls.targets().forEach(target -> argv.add(target.text()));
    return argv.toArray(String[]::new);
  }
}

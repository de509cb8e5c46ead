/*
 * SPDX-License-Identifier: MIT
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this file, to deal
 * in it without restriction, under the terms of the MIT License; it is provided "as is", without
 * warranty of any kind. It assembles the sock_ops program, which is loaded as "Dual MIT/GPL"
 * because the kernel's helpers that it calls are for such programs only: see NOTICE.
 */
package dev.rollcall.linux.calls;

import static dev.rollcall.linux.calls.CallProgram.FRAME;
import static dev.rollcall.linux.calls.CallProgram.KEY;
import static dev.rollcall.linux.calls.CallProgram.LONG;
import static dev.rollcall.linux.calls.CallProgram.SCRATCH;
import static dev.rollcall.linux.calls.CallProgram.SMALL_KEY;
import static dev.rollcall.linux.calls.CallProgram.VALUE;

import dev.rollcall.linux.bpf.Assembler;
import dev.rollcall.linux.bpf.Assembler.Size;
import java.time.Duration;

/**
 * The part of the program that tells the agent of a call, as long as the user's bucket allows.
 * Whoever is over the rate is not announced until they have been quiet for a while. Where a call of
 * theirs has the ends of an announced one, that announcement is withdrawn: the far node would take
 * the earlier caller for this one. An announcement is withdrawn once, so there are never more
 * withdrawals than announcements, which are bounded.
 */
final class Announcing {
  private static final int RATE = 6; // the context is not used any more
  private static final int NOW = 7;
  private static final int BUCKET = 8;

  private final Assembler code;
  private final MapCode map;
  private final CallMaps maps;
  private final Duration quiet;

  /**
   * @param quiet a user over the rate is announced again after so long without a call
   */
  Announcing(Assembler code, CallMaps maps, Duration quiet) {
    this.code = code;
    this.map = new MapCode(code);
    this.maps = maps;
    this.quiet = quiet;
  }

  /** Ends at the label "end", or just before it. */
  void write() {
    takeFromBucket();
    withhold();
    tell();
    countLost();
  }

  /**
   * A user has a bucket for each rate. Its first number is the time at which it is full again. A
   * call may be told while that is less than a burst's worth of intervals ahead, and puts it one
   * interval further. Processors that race for one user may let one call too many through each, and
   * lose none from the count.
   */
  private void takeFromBucket() {
    map.lookUp(maps.rates(), SMALL_KEY + CallLayout.BUCKET_RATE).jumpIfEqual(0, 0, "end");
    code.move(RATE, 0);
    code.load(Size.WORD, 0, FRAME, VALUE + CallLayout.UID).store(Size.WORD, FRAME, SMALL_KEY, 0);
    map.lookUp(maps.buckets(), SMALL_KEY)
        .load(Size.DOUBLE, NOW, FRAME, VALUE + CallLayout.CALLED_AT);
    code.jumpIfNotEqual(0, 0, "bucket");
    afterInterval().store(Size.DOUBLE, FRAME, LONG + CallLayout.FULL_AT, 1);
    code.storeValue(Size.DOUBLE, FRAME, LONG + CallLayout.OVER_AT, 0);
    map.update(maps.buckets(), SMALL_KEY, LONG).jump("tell");

    code.label("bucket").move(BUCKET, 0).load(Size.DOUBLE, 1, BUCKET, CallLayout.OVER_AT);
    code.plus(1, Math.toIntExact(quiet.toNanos())).jumpIfGreater(1, NOW, "over");
    take();
  }

  private Assembler afterInterval() {
    return code.load(Size.DOUBLE, 1, RATE, CallLayout.INTERVAL).add(1, NOW);
  }

  private void take() {
    code.load(Size.DOUBLE, 1, BUCKET, CallLayout.FULL_AT).jumpIfGreater(1, NOW, "filling");
    afterInterval().store(Size.DOUBLE, BUCKET, CallLayout.FULL_AT, 1);
    code.jump("tell");

    code.label("filling").minus(1, NOW).load(Size.DOUBLE, 2, RATE, CallLayout.SPAN);
    code.jumpIfGreater(1, 2, "over");
    code.load(Size.DOUBLE, 1, RATE, CallLayout.INTERVAL);
    code.addAtomically(BUCKET, CallLayout.FULL_AT, 1).jump("tell");
  }

  private void withhold() {
    code.label("over").store(Size.DOUBLE, BUCKET, CallLayout.OVER_AT, NOW);
    count(CallLayout.WITHHELD);
    map.lookUp(maps.announced(), KEY).jumpIfEqual(0, 0, "end");
    map.output(maps.ring(), KEY, CallLayout.WITHDRAWAL_SIZE).jumpIfNotEqual(0, 0, "lost");
    map.delete(maps.announced(), KEY).jump("end");
  }

  private void tell() {
    code.label("tell");
    map.output(maps.ring(), KEY, CallLayout.RECORD_SIZE).jumpIfNotEqual(0, 0, "lost");
    code.storeValue(Size.BYTE, FRAME, LONG, 1);
    map.update(maps.announced(), KEY, LONG).jumpIfEqual(0, 0, "end");
  }

  private void count(int counter) {
    code.storeValue(Size.WORD, FRAME, SMALL_KEY, counter);
    map.lookUp(maps.counters(), SMALL_KEY).jumpIfEqual(0, 0, "end");
    code.set(1, 1).addAtomically(0, 0, 1);
  }

  /** Counts, and unless such a record is on its way, says so: else an idle agent would not look. */
  private void countLost() {
    code.label("lost");
    count(CallLayout.LOST);
    code.storeValue(Size.WORD, FRAME, SMALL_KEY, CallLayout.LOST_PENDING);
    map.lookUp(maps.counters(), SMALL_KEY).jumpIfEqual(0, 0, "end").move(9, 0);
    code.load(Size.DOUBLE, 1, 9, 0).jumpIfNotEqual(1, 0, "end");
    code.storeValue(Size.DOUBLE, 9, 0, 1).storeValue(Size.DOUBLE, FRAME, SCRATCH, 0);
    map.output(maps.ring(), SCRATCH, CallLayout.LOST_RECORD_SIZE).jumpIfEqual(0, 0, "end");
    code.storeValue(Size.DOUBLE, 9, 0, 0); // the ring is full: its reader looks when it has drained
  }
}

(* A first bot: it plays any game. It picks one of the legal moves at random.

   To make it your own, change choose. The manual, protocol.md, explains the messages. *)

(* Makes random numbers. The same seed gives the same numbers in the starters of all languages. *)
let dice = ref 1

let seed_dice seed = dice := if seed mod 2147483647 = 0 then 1 else seed mod 2147483647

(* A random number from 0 to count - 1. *)
let below count =
  dice := !dice * 48271 mod 2147483647;
  !dice mod count

(* Picks one of the legal moves. Put your own ideas here. *)
let choose moves = moves.(below (Array.length moves))

(* Sends a line. Without the flush the line stays in a buffer, and the harness does not get it. *)
let say line =
  print_string (line ^ "\n");
  flush stdout

(* What a line "move ..." says after its first word. *)
let move_of line = String.sub line 5 (String.length line - 5)

let rec play () =
  match String.split_on_char ' ' (input_line stdin) with
  | "hello" :: _ ->
      say "hello 1 legal"; (* Speak version 1, and ask for the legal moves with each question. *)
      play ()
  | [ "new"; _match; _seat; _seats; seed ] ->
      seed_dice (int_of_string seed);
      say "ready";
      play ()
  | [ "legal"; _all; count ] -> (* legal all COUNT, then COUNT lines "move ...", then the question *)
      let moves = Array.make (int_of_string count) "" in
      Array.iteri (fun index _ -> moves.(index) <- move_of (input_line stdin)) moves;
      ignore (input_line stdin); (* Skip the question: a listed move is a complete answer. *)
      say (choose moves);
      play ()
  | [ "bye" ] -> ()
  | _ -> play () (* All other lines are events of the match. This bot ignores them. *)

let () = try play () with End_of_file -> ()

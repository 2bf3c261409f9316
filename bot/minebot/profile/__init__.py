"""Game profiles: what a game looks like and how it behaves, from `calibration/` and checked."""

from minebot.profile.files import file_of as file_of
from minebot.profile.files import load as load
from minebot.profile.files import load_file as load_file
from minebot.profile.files import located as located
from minebot.profile.files import own_folder as own_folder
from minebot.profile.files import parse as parse
from minebot.profile.files import profiles as profiles
from minebot.profile.schema import Behaviour as Behaviour
from minebot.profile.schema import LatticeStyle as LatticeStyle
from minebot.profile.schema import Profile as Profile
